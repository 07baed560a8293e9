import { type FormEvent, useState } from 'react';
import type { HubDevice } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';

const SCOPES: readonly [HubDevice['scope'], string][] = [
  ['watch', t.devices.scopes.watch],
  ['approve', t.devices.scopes.approve],
  ['drive', t.devices.scopes.drive],
  ['admin', t.devices.scopes.admin],
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
      (error: unknown) => setProblem(problemWords(error)),
    );
  };
  return (
    <form className="detail-form" aria-label={t.devices.signInAnother} onSubmit={make}>
      <label>
        {t.devices.deviceName}
        <input
          name="name"
          className="field"
          placeholder={t.devices.myPhone}
          required
          pattern=".*\S.*"
          maxLength={100}
          autoComplete="off"
        />
      </label>
      <label>
        {t.devices.it}
        <select name="scope" className="field" defaultValue="drive">
          {SCOPES.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button">
        {t.devices.makeLink}
      </button>
      {link !== '' && (
        <div className="device-link" role="status">
          <p className="faint small">{t.devices.linkAbout}</p>
          <p className="code">
            {link} <CopyButton text={link} label={t.devices.copyLink} />
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
