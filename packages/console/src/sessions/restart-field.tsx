import type { LaunchSpec } from 'signalbox/hub';
import { wordIn } from '../parts/form-dialog.tsx';
import { t } from '../words/t.ts';

/** When an agent is started again that has ended by itself. */
export function RestartField() {
  return (
    <label>
      {t.sessions.restart}
      <select name="restart" className="field">
        <option value="">{t.sessions.restartNever}</option>
        <option value="on-failure">{t.sessions.restartOnFailure}</option>
        <option value="always">{t.sessions.restartAlways}</option>
      </select>
    </label>
  );
}

/** What the field says. */
export function restartIn(form: FormData): Pick<LaunchSpec, 'restart'> {
  const restart = wordIn(form, 'restart');
  return restart === 'on-failure' || restart === 'always' ? { restart } : {};
}
