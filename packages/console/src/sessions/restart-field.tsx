import type { LaunchSpec } from 'signalbox/hub';
import { wordIn } from '../parts/form-dialog.tsx';

/** When an agent is started again that has ended by itself. */
export function RestartField() {
  return (
    <label>
      Start it again
      <select name="restart" className="field">
        <option value="">never by itself</option>
        <option value="on-failure">when it fails, up to 5 times in a row</option>
        <option value="always">whenever it ends, up to 5 times in a row</option>
      </select>
    </label>
  );
}

/** What the field says. */
export function restartIn(form: FormData): Pick<LaunchSpec, 'restart'> {
  const restart = wordIn(form, 'restart');
  return restart === 'on-failure' || restart === 'always' ? { restart } : {};
}
