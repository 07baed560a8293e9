import { useState } from 'react';
import type { AgentDefinition, AgentDefinitionChange } from 'signalbox/hub';
import { commandLine, wordsOfCommand } from '../model/command-line.ts';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { VariableFields, variablesIn } from './variable-fields.tsx';

/** A new agent, or another command for one. */
export function AgentDialog({
  of,
  taken,
  onDone,
  onClose,
}: {
  of: AgentDefinition | undefined;
  /** Names that others have: a new one would take their place. */
  taken: readonly string[];
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { api } = useHub();
  const [mode, setMode] = useState<AgentDefinition['mode']>(of?.mode ?? 'sdk');
  const keep = async (form: FormData): Promise<void> => {
    const name = of?.name ?? wordIn(form, 'name');
    if (!of && taken.includes(name)) throw new Error(t.agents.nameTaken(name));
    await api.defineAgent({ name, mode, ...titleIn(form), ...commandIn(form), env: variablesIn(form) });
    await onDone();
  };
  return (
    <FormDialog
      title={of ? t.agents.changeTitle(of.title) : t.agents.define}
      action={of ? [t.common.change, t.common.changing] : [t.common.add, t.common.adding]}
      startAt={of ? 'command' : 'name'}
      onSubmit={keep}
      onClose={onClose}
    >
      {!of && (
        <label>
          {t.agents.name}
          <input
            className="field mono"
            name="name"
            required
            maxLength={64}
            placeholder="work"
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      )}
      <label>
        {t.agents.command}
        <input
          className="field mono"
          name="command"
          required
          defaultValue={of ? commandLine(of.command) : ''}
          placeholder="claude --verbose"
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label>
        {t.agents.mode}
        <select
          className="field"
          value={mode}
          onChange={({ target }) => setMode(target.value === 'terminal' ? 'terminal' : 'sdk')}
        >
          <option value="sdk">{t.agents.modeSdk}</option>
          <option value="terminal">{t.agents.modeScreen}</option>
        </select>
      </label>
      <label>
        {t.agents.titleField}
        <input
          className="field"
          name="title"
          maxLength={100}
          defaultValue={of && of.title !== of.name ? of.title : ''}
          autoComplete="off"
        />
      </label>
      <VariableFields known={of?.variables ?? []} />
    </FormDialog>
  );
}

function titleIn(form: FormData): Pick<AgentDefinitionChange, 'title'> {
  const title = wordIn(form, 'title');
  return title === '' ? {} : { title };
}

function commandIn(form: FormData): Pick<AgentDefinitionChange, 'command'> {
  const command = wordsOfCommand(wordIn(form, 'command'));
  if (!command) throw new Error(t.agents.openQuote);
  return { command };
}
