import { messageOf } from '@signalbox/protocol';
import { type FormEvent, useState } from 'react';
import type { NewNoticeTarget } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';

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
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => setSending(false));
  };
  return (
    <form className="rule-form" aria-label="New target" onSubmit={add}>
      <div className="rule-fields notice-fields">
        <label>
          Kind
          <select
            className="field"
            value={type}
            onChange={({ target }) => setType(target.value === 'ntfy' ? 'ntfy' : 'webhook')}
          >
            <option value="webhook">Webhook</option>
            <option value="ntfy">ntfy</option>
          </select>
        </label>
        <label>
          Address
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
          Name
          <input className="field" name="name" autoComplete="off" />
        </label>
        {type === 'ntfy' && (
          <label>
            Token
            <input className="field mono" name="token" type="password" autoComplete="off" />
          </label>
        )}
      </div>
      <label className="notice-option">
        <input type="checkbox" name="mayAnswer" /> Whoever reads it may answer (Allow and Deny)
      </label>
      <label className="notice-option">
        <input type="checkbox" name="allowsPrivate" /> Its address is inside of my network
      </label>
      <button type="submit" className="button primary notice-add" disabled={isSending}>
        Add
      </button>
      {secret !== null && (
        <p role="status">
          Its notices are signed with this secret, which is not shown again: <code>{secret}</code>
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
