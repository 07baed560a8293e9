import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
import { useFolderTrust } from './use-folder-trust.ts';

/** The question whether a folder is trusted, where it is not: an agent that starts in it leaves things out. */
export function TrustBox({ folder }: { folder: string }) {
  const trust = useFolderTrust(folder);
  if (!trust || trust.isTrusted) return null;
  const { root, withheld } = trust;
  return (
    <div className="trust-box">
      <label className="option">
        <input type="checkbox" name="trust" />
        <span>
          <Sentence of={t.sessions.trustIt(<code>{root}</code>)} />
        </span>
      </label>
      {withheld.length > 0 && <p className="faint small">{t.sessions.withheld(withheld.join('; '))}</p>}
    </div>
  );
}
