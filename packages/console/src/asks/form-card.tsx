import { type FormField, formFields } from '@signalbox/protocol';
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { type Draft, fillIn, firstDraft } from '../model/form.ts';
import { t } from '../words/t.ts';
import { FieldView } from './field-view.tsx';
import { Refusals, ServerCard } from './server-card.tsx';
import type { Answering } from './use-answer.ts';

type Drafts = ReadonlyMap<string, Draft>;

/** Forms that are remembered; the oldest are forgotten first. */
const MAX_KEPT = 20;

/** How many fields, and boxes of them, a form may have here; nobody fills in more, and a page would not answer any more. */
const MAX_INPUTS = 1000;

const NO_FIELDS: readonly FormField[] = [];

function inputsOf(fields: readonly FormField[]): number {
  return fields.reduce((sum, field) => sum + (field.kind === 'choices' ? field.options.length : 1), 0);
}

/** What was filled in and not sent, by ask: it is there when a reader comes back from another session. */
const kept = new Map<string, Drafts>();

function keep(key: string, drafts: Drafts): void {
  kept.delete(key);
  kept.set(key, drafts);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** Something that an MCP server wants to know: a form to fill in. */
export function FormCard({ ask, answering }: { ask: PermissionRequest; answering: Answering }) {
  const { requested_schema: schema } = ask.request;
  const asked = useMemo(() => formFields(schema), [schema]);
  const isTooLong = inputsOf(asked) > MAX_INPUTS;
  const fields = isTooLong ? NO_FIELDS : asked;
  const key = `${ask.session} ${ask.requestId}`;
  const [drafts, setDrafts] = useState<Drafts>(
    () => kept.get(key) ?? new Map(fields.map((field) => [field.name, firstDraft(field)])),
  );
  // Nobody is told what is wrong with a field before they had the time to fill it in.
  const [tries, setTries] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const { answer, isLocked, problem } = answering;
  const { content, problems } = fillIn(fields, drafts);

  useEffect(() => keep(key, drafts), [key, drafts]);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problems.size === 0) answer({ behavior: 'allow', content });
    else setTries(tries + 1);
  };
  return (
    <ServerCard
      title={t.asks.answerServer}
      ask={ask}
      problem={problem}
      foot={() => (
        <div className="buttons">
          {!isTooLong && (
            <button type="submit" form={formId} className="button primary" disabled={isLocked}>
              {t.asks.answer}
            </button>
          )}
          <Refusals answering={answering} />
        </div>
      )}
    >
      {isTooLong && <p className="problem">{t.asks.formTooLong(inputsOf(asked))}</p>}
      <form ref={form} id={formId} className="form" onSubmit={submit}>
        {fields.map((field) => (
          <FieldView
            key={field.name}
            field={field}
            draft={drafts.get(field.name) ?? ''}
            problem={tries > 0 ? problems.get(field.name) : undefined}
            onDraft={(draft) => setDrafts((all) => new Map(all).set(field.name, draft))}
          />
        ))}
      </form>
    </ServerCard>
  );
}
