import { messageOf } from '@signalbox/protocol';
import { type FormEvent, useState } from 'react';
import type { HubDevice } from 'signalbox/hub';
import { CopyButton } from '../parts/copy-button.tsx';
import { wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';

const SCOPES: readonly [HubDevice['scope'], string][] = [
  ['watch', 'may watch'],
  ['approve', 'may answer what agents ask'],
  ['drive', 'may prompt agents'],
  ['admin', 'may do everything'],
];

/** A link that signs another device in, once. */
export function LinkForm() {
  const { api } = useHub();
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState('');
  const make = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const scope = SCOPES.find(([name]) => name === form.get('scope'))?.[0] ?? 'watch';
    setProblem('');
    api.createSignInLink({ name: wordIn(form, 'name'), scope }).then(
      ({ url }) => setLink(url),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  return (
    <form className="detail-form" aria-label="Sign in another device" onSubmit={make}>
      <label>
        Name of another device
        <input
          name="name"
          className="field"
          placeholder="my phone"
          required
          pattern=".*\S.*"
          maxLength={100}
          autoComplete="off"
        />
      </label>
      <label>
        It
        <select name="scope" className="field" defaultValue="drive">
          {SCOPES.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button">
        Make a link
      </button>
      {link !== '' && (
        <div className="device-link" role="status">
          <p className="faint small">
            Open it on that device within 15 minutes; it signs one browser in, once. It has the name of this
            page’s address, which has to be one that the device reaches.
          </p>
          <p className="code">
            {link} <CopyButton text={link} label="Copy the link" />
          </p>
        </div>
      )}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
