import { useCallback, useState } from 'react';
import type { HubApi, NewWorktree, Repository, WorktreeSetup } from 'signalbox/hub';
import { wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { useFolderLook } from './use-folder-look.ts';
import { useMayTrust } from './use-folder-trust.ts';

/** Whether the agent gets a worktree, where the folder is in a repository; and what is done in it first. */
export function WorktreeFields({ folder }: { folder: string }) {
  const { api } = useHub();
  const [isOwn, setOwn] = useState(false);
  const look = useCallback((at: string) => api.repository(at), [api]);
  const repository = useFolderLook(folder, true, look);
  if (!repository) return null;
  return (
    <div className="worktree-box">
      <label className="option">
        <input
          type="checkbox"
          name="worktree"
          checked={isOwn}
          onChange={({ target }) => setOwn(target.checked)}
        />
        <span>{t.sessions.inWorktree}</span>
      </label>
      {isOwn && <Base repository={repository} />}
      {isOwn && repository.setup && <Setup setup={repository.setup} />}
    </div>
  );
}

function Base({ repository: { branch, branches, underWay } }: { repository: Repository }) {
  const here = branch === null ? t.sessions.checkedOutHere : t.sessions.checkedOut(branch);
  return (
    <label>
      {t.sessions.beginsAt}
      <select name="base" className="field mono">
        {underWay === null && <option value="">{here}</option>}
        {branches
          .filter((name) => underWay !== null || name !== branch)
          .map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
      </select>
    </label>
  );
}

function Setup({ setup: { command, copy, isTrusted, text } }: { setup: WorktreeSetup }) {
  const mayTrust = useMayTrust();
  return (
    <div className="worktree-setup">
      <input type="hidden" name={isTrusted ? 'setup-trusted' : 'setup-text'} value={text} />
      {command !== null && <pre className="mono small">{command}</pre>}
      {copy.length > 0 && <p className="faint small">{t.sessions.copies(copy.join(', '))}</p>}
      {isTrusted ? (
        <p className="faint small">{t.sessions.setUpTrusted}</p>
      ) : mayTrust ? (
        <label className="option">
          <input type="checkbox" name="trust-setup" />
          <span>{t.sessions.trustSetUp}</span>
        </label>
      ) : (
        <p className="faint small">{t.sessions.setUpLeftOut}</p>
      )}
    </div>
  );
}

/** The worktree that the fields ask for, once its set-up is trusted; undefined when they ask for none. */
export async function worktreeIn(
  form: FormData,
  api: HubApi,
  folder: string,
): Promise<NewWorktree | undefined> {
  if (!form.has('worktree')) return undefined;
  const base = wordIn(form, 'base');
  const text = form.get('setup-text');
  const isTrustedNow = typeof text === 'string' && form.has('trust-setup');
  if (isTrustedNow) await api.trustSetup(folder, text);
  const isSkipped = typeof text === 'string' && !isTrustedNow;
  return { ...(base === '' ? {} : { base }), ...(isSkipped ? { setup: 'skip' } : {}) };
}
