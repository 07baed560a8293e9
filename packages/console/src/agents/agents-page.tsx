import { useCallback, useState } from 'react';
import type { AgentDefinition } from 'signalbox/hub';
import { commandLine } from '../model/command-line.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { useReading } from '../shell/use-reading.ts';
import { t } from '../words/t.ts';
import { AgentDialog } from './agent-dialog.tsx';

/** The agents that this hub can launch beside those that Signalbox brings. */
export default function AgentsPage() {
  const { api } = useHub();
  const read = useCallback(() => api.agentDefinitions(), [api]);
  const { value: agents, problem, look } = useReading(read);
  const [editing, setEditing] = useState<AgentDefinition | 'new'>();
  const [leaving, setLeaving] = useState<AgentDefinition>();
  return (
    <PageFrame title={t.agents.title}>
      <p className="faint">{t.agents.about}</p>
      <div>
        <button type="button" className="button" onClick={() => setEditing('new')}>
          {t.agents.define}
        </button>
      </div>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {agents?.length === 0 && <p className="faint">{t.agents.none}</p>}
      {agents && agents.length > 0 && (
        <ul className="board-rows agent-rows" aria-label={t.agents.title}>
          {agents.map((agent) => (
            <AgentRow
              key={agent.name}
              agent={agent}
              onEdit={() => setEditing(agent)}
              onRemove={() => setLeaving(agent)}
            />
          ))}
        </ul>
      )}
      {editing && (
        <AgentDialog
          of={editing === 'new' ? undefined : editing}
          taken={agents?.map(({ name }) => name) ?? []}
          onDone={look}
          onClose={() => setEditing(undefined)}
        />
      )}
      {leaving && <RemoveDialog agent={leaving} onDone={look} onClose={() => setLeaving(undefined)} />}
    </PageFrame>
  );
}

function AgentRow({
  agent: { name, title, command, mode, variables, why },
  onEdit,
  onRemove,
}: {
  agent: AgentDefinition;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const facts = [
    mode === 'terminal' ? t.agents.onlyScreen : t.agents.speaksSdk,
    variables.length > 0 ? t.agents.gets(variables.join(', ')) : '',
  ];
  return (
    <li className="agent-row">
      <span className="agent-name">
        {title} {title !== name && <span className="faint">{name}</span>}
      </span>
      <code>{commandLine(command)}</code>
      <span className="faint agent-facts">{facts.filter(Boolean).join(' · ')}</span>
      {why !== null && (
        <span className="problem agent-facts">{t.states.missingAgent(name, command[0], why)}</span>
      )}
      <span className="agent-acts">
        <button type="button" className="button" onClick={onEdit} aria-label={t.agents.changeTitle(title)}>
          {t.common.changeAsk}
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={onRemove}
          aria-label={t.agents.removeTitle(title)}
        >
          {t.common.removeAsk}
        </button>
      </span>
    </li>
  );
}

function RemoveDialog({
  agent: { name, title },
  onDone,
  onClose,
}: {
  agent: AgentDefinition;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { api } = useHub();
  const remove = async (): Promise<void> => {
    await api.removeAgentDefinition(name);
    await onDone();
  };
  return (
    <FormDialog
      title={t.agents.removeQuestion(title)}
      action={[t.common.remove, t.common.removing]}
      tone="danger"
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t.agents.removeAbout}</p>
    </FormDialog>
  );
}
