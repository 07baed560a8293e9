import { type FormEvent, useState } from 'react';
import type { NewNoticeTarget } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';

/** A webhook or an ntfy topic to be told. */
export function TargetForm({ onAdded }: { onAdded: () => Promise<void> }) {
  const { api } = useHub();
  const [type, setType] = useState<NewNoticeTarget['type']>('webhook');
  const [problem, setProblem] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const said = new FormData(form);
    const [url, token] = [textIn(said, 'url'), textIn(said, 'token')];
    const rest = {
      url,
      mayAnswer: said.has('mayAnswer'),
      allowsPrivate: said.has('allowsPrivate'),
      ...(textIn(said, 'name') === '' ? {} : { name: textIn(said, 'name') }),
    };
    setSending(true);
    setProblem('');
    api
      .addNoticeTarget(
        type === 'webhook' ? { type, ...rest } : { type, ...rest, ...(token === '' ? {} : { token }) },
      )
      .then((added) => {
        form.reset();
        setSecret(added.secret);
        return onAdded();
      })
      .catch((error: unknown) => setProblem(problemWords(error)))
      .finally(() => setSending(false));
  };
  return (
    <form className="rule-form" aria-label={t.notices.newTarget} onSubmit={add}>
      <div className="rule-fields notice-fields">
        <label>
          {t.notices.kind}
          <select
            className="field"
            value={type}
            onChange={({ target }) => setType(target.value === 'ntfy' ? 'ntfy' : 'webhook')}
          >
            <option value="webhook">{t.notices.webhook}</option>
            <option value="ntfy">ntfy</option>
          </select>
        </label>
        <label>
          {t.notices.address}
          <input
            className="field mono"
            name="url"
            type="url"
            required
            placeholder={type === 'ntfy' ? 'https://ntfy.sh/your-topic' : 'https://hooks.example/agents'}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <label>
          {t.notices.name}
          <input className="field" name="name" autoComplete="off" />
        </label>
        {type === 'ntfy' && (
          <label>
            {t.notices.token}
            <input className="field mono" name="token" type="password" autoComplete="off" />
          </label>
        )}
      </div>
      <label className="notice-option">
        <input type="checkbox" name="mayAnswer" /> {t.notices.readerMayAnswer}
      </label>
      <label className="notice-option">
        <input type="checkbox" name="allowsPrivate" /> {t.notices.isPrivate}
      </label>
      <button type="submit" className="button primary notice-add" disabled={isSending}>
        {t.common.add}
      </button>
      {secret !== null && (
        <p role="status">
          <Sentence of={t.notices.secret(<code>{secret}</code>)} />
        </p>
      )}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
