import { useState } from 'react';
import type { HubRule, RuleSuggestion } from 'signalbox/hub';
import { authorName } from '../model/author-name.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { useMayRule } from '../shell/scope.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
import { NO_DRAFT, type RuleDraft, RuleForm } from './rule-form.tsx';
import { DOES, whereWords } from './rule-words.ts';
import { useRules } from './use-rules.ts';

/** The rules that answer what agents ask before people are shown it. */
export default function RulesPage() {
  const { rules, proposed, problem, look } = useRules();
  const mayRule = useMayRule();
  const [draft, setDraft] = useState<RuleDraft>(NO_DRAFT);
  const [leaving, setLeaving] = useState<HubRule>();
  return (
    <PageFrame title={t.rules.title}>
      <p className="faint">{t.rules.about}</p>
      {mayRule && <RuleForm draft={draft} onDraft={setDraft} onAdded={look} />}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {mayRule && <Proposals proposed={proposed} onTake={setDraft} />}
      <h2 className="board-title">
        {t.rules.inForceHead} <span className="faint">{rules?.length ?? ''}</span>
      </h2>
      {rules?.length === 0 && <p className="faint">{t.rules.none}</p>}
      {rules && rules.length > 0 && (
        <ul className="board-rows rule-rows" aria-label={t.rules.inForce}>
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} onRemove={mayRule ? () => setLeaving(rule) : undefined} />
          ))}
        </ul>
      )}
      {leaving && <RemoveDialog rule={leaving} onRemoved={look} onClose={() => setLeaving(undefined)} />}
    </PageFrame>
  );
}

function RuleRow({ rule, onRemove }: { rule: HubRule; onRemove: (() => void) | undefined }) {
  return (
    <li className="rule-row">
      <span className="rule-does" data-does={rule.behavior}>
        {DOES[rule.behavior]}
      </span>
      <code>{rule.rule}</code>
      <span className="faint rule-where" title={rule.folder ?? rule.session ?? undefined}>
        {whereWords(rule)} · {rule.isStored ? authorName(rule.author) : t.rules.untilHubEnds}
      </span>
      {onRemove && (
        <button type="button" className="button quiet" onClick={onRemove}>
          {t.common.removeAsk}
        </button>
      )}
    </li>
  );
}

/** Rules that follow from what people have answered again and again. */
function Proposals({
  proposed,
  onTake,
}: {
  proposed: readonly RuleSuggestion[];
  onTake: (draft: RuleDraft) => void;
}) {
  if (proposed.length === 0) return null;
  return (
    <>
      <h2 className="board-title">
        {t.rules.proposedHead} <span className="faint">{proposed.length}</span>
      </h2>
      <ul className="board-rows rule-rows" aria-label={t.rules.proposed}>
        {proposed.map((suggestion) => (
          <li key={suggestion.rule} className="rule-row">
            <span className="rule-does" data-does={suggestion.behavior}>
              {DOES[suggestion.behavior]}
            </span>
            <code>{suggestion.rule}</code>
            <span className="faint rule-where">
              {whereWords(suggestion)} · {t.states.proposal(suggestion)}
            </span>
            <button
              type="button"
              className="button"
              onClick={() => onTake({ ...suggestion, folder: suggestion.folder ?? '' })}
            >
              {t.rules.look}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function RemoveDialog({
  rule,
  onRemoved,
  onClose,
}: {
  rule: HubRule;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}) {
  const { api } = useHub();
  const remove = async (): Promise<void> => {
    await api.removeRule(rule.id);
    await onRemoved();
  };
  return (
    <FormDialog
      title={t.rules.removeQuestion}
      action={[t.common.remove, t.common.removing]}
      tone="danger"
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        <Sentence of={t.rules.removeAbout(DOES[rule.behavior], <code>{rule.rule}</code>, whereWords(rule))} />
      </p>
    </FormDialog>
  );
}
