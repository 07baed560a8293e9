import type { LaunchableAgent, LaunchSpec } from 'signalbox/hub';
import { knownFolders } from '../model/known-folders.ts';
import { wordIn } from '../parts/form-dialog.tsx';
import { useHubView } from '../shell/hub-context.ts';
import { TrustBox } from './trust-box.tsx';

const MODES: readonly [string, string][] = [
  ['', 'As its settings say'],
  ['default', 'Asks before it acts'],
  ['acceptEdits', 'Accepts edits'],
  ['plan', 'Plans only'],
];

/** Which agent is started, and where; the same for a session and for a loop. */
export function LaunchFields({
  agents,
  preferred,
  folder,
  onFolder,
  onAgent,
  isOnScreen = false,
}: {
  agents: readonly LaunchableAgent[] | undefined;
  preferred: string | undefined;
  folder: string;
  onFolder: (folder: string) => void;
  onAgent?: (name: string) => void;
  /** The agent has nothing but its own screen, where all else is said. */
  isOnScreen?: boolean;
}) {
  const { sessions } = useHubView();
  return (
    <>
      <label>
        Agent
        {/* Another key when the list is there: a default counts only at first. */}
        <select
          key={preferred}
          name="agent"
          className="field"
          defaultValue={preferred}
          disabled={!agents}
          onChange={({ target }) => onAgent?.(target.value)}
        >
          {(agents ?? []).map(({ name, title, version, isAvailable, why }) => (
            <option key={name} value={name} disabled={!isAvailable}>
              {[title, version, isAvailable ? '' : `(${why ?? 'not there'})`].filter(Boolean).join(' ')}
            </option>
          ))}
        </select>
      </label>
      <label>
        Folder
        <input
          name="folder"
          className="field mono"
          required
          pattern="[\/~].*"
          title="A path on the hub's machine that begins with / or ~"
          placeholder="~/project"
          value={folder}
          onChange={({ target }) => onFolder(target.value)}
          list="known-folders"
          autoCapitalize="off"
          spellCheck={false}
        />
        <datalist id="known-folders">
          {knownFolders(sessions).map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
      </label>
      <TrustBox folder={folder.trim()} />
      {!isOnScreen && <SdkFields />}
    </>
  );
}

/** What an agent is told on its command line that speaks with the hub. */
function SdkFields() {
  return (
    <div className="pair">
      <label>
        Model
        <input name="model" className="field" placeholder="its own" autoCapitalize="off" spellCheck={false} />
      </label>
      <label>
        Permissions
        <select name="mode" className="field">
          {MODES.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Why nothing can be started. */
export function LaunchTrouble({
  agents,
  preferred,
  problem,
}: {
  agents: readonly LaunchableAgent[] | undefined;
  preferred: string | undefined;
  problem: string;
}) {
  return (
    <>
      {agents && !preferred && (
        <p className="problem">This hub can start no agent itself. Let one dial in: signalbox bridge.</p>
      )}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** What the fields say. */
export function launchIn(form: FormData): Pick<LaunchSpec, 'agent' | 'folder' | 'model' | 'mode'> {
  const [model, mode] = [wordIn(form, 'model'), wordIn(form, 'mode')];
  return {
    agent: wordIn(form, 'agent'),
    folder: wordIn(form, 'folder'),
    ...(model === '' ? {} : { model }),
    ...(mode === '' ? {} : { mode }),
  };
}
