import { useEffect, useState } from 'react';
import type { Profile } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';

/** With which variables an agent is started; not there where the hub keeps none. */
export function ProfileField() {
  const { api } = useHub();
  const [profiles, setProfiles] = useState<readonly Profile[]>([]);
  useEffect(() => {
    // A hub of an earlier version knows none; why a file cannot be read is said when it is asked for.
    api.profiles().then(setProfiles, () => setProfiles([]));
  }, [api]);
  if (profiles.length === 0) return null;
  return (
    <label>
      {t.sessions.profile}
      <select name="profile" className="field">
        <option value="">{t.sessions.noProfile}</option>
        {profiles.map(({ name, variables }) => (
          <option key={name} value={name}>
            {name} ({variables.join(', ') || t.sessions.emptyProfile})
          </option>
        ))}
      </select>
    </label>
  );
}
