import { type FormEvent, useState } from 'react';
import type { NewRule } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { BacktestView } from './backtest-view.tsx';
import { DOES } from './rule-words.ts';
import { useBacktest } from './use-backtest.ts';

/** A rule as it is being written. */
export interface RuleDraft {
  rule: string;
  behavior: NewRule['behavior'];
  folder: string;
}

export const NO_DRAFT: RuleDraft = { rule: '', behavior: 'allow', folder: '' };

/** A new rule: what it would have done is shown before it is added. */
export function RuleForm({
  draft,
  onDraft,
  onAdded,
}: {
  draft: RuleDraft;
  onDraft: (draft: RuleDraft) => void;
  onAdded: () => Promise<void>;
}) {
  const { api } = useHub();
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const folder = draft.folder.trim();
  const rule: NewRule = {
    rule: draft.rule.trim(),
    behavior: draft.behavior,
    ...(folder === '' ? {} : { folder }),
  };
  const look = useBacktest(rule);
  const change = (part: Partial<RuleDraft>): void => {
    setProblem('');
    onDraft({ ...draft, ...part });
  };
  const add = (event: FormEvent): void => {
    event.preventDefault();
    setSending(true);
    api
      .addRule(rule)
      .then(() => {
        onDraft(NO_DRAFT);
        return onAdded();
      })
      .catch((error: unknown) => setProblem(problemWords(error)))
      .finally(() => setSending(false));
  };
  return (
    <form className="rule-form" aria-label={t.rules.newRule} onSubmit={add}>
      <div className="rule-fields">
        <label>
          {t.rules.does}
          <select
            className="field"
            value={draft.behavior}
            onChange={({ target }) => change({ behavior: behaviorOf(target.value) })}
          >
            <option value="allow">{DOES.allow}</option>
            <option value="deny">{DOES.deny}</option>
            <option value="ask">{DOES.ask}</option>
          </select>
        </label>
        <label>
          {t.rules.rule}
          <input
            className="field mono"
            value={draft.rule}
            placeholder="Bash(npm test:*)"
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => change({ rule: target.value })}
          />
        </label>
        <label>
          {t.common.onlyInFolder}
          <input
            className="field"
            value={draft.folder}
            placeholder="~/project"
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => change({ folder: target.value })}
          />
        </label>
      </div>
      <BacktestView look={look} />
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="buttons">
        <button type="submit" className="button primary" disabled={isSending || look.state !== 'known'}>
          {t.rules.addRule}
        </button>
      </div>
    </form>
  );
}

function behaviorOf(value: string): NewRule['behavior'] {
  return value === 'deny' || value === 'ask' ? value : 'allow';
}
