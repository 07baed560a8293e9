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
          I trust <code>{root}</code>: its hooks, servers and rules may run
        </span>
      </label>
      {withheld.length > 0 && (
        <p className="faint small">Left out while it is not trusted: {withheld.join('; ')}</p>
      )}
    </div>
  );
}
