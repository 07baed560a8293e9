import type { LaunchableAgent, LaunchSpec } from 'signalbox/hub';
import { withoutSlash } from '../model/folder-choice.ts';
import { isScripted } from '../model/scripted.ts';
import { wordIn } from '../parts/form-dialog.tsx';
import { useHubView } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { FolderField } from './folder-field.tsx';
import { TrustBox } from './trust-box.tsx';

const MODES: readonly [string, string][] = [
  ['', t.sessions.modeAsSet],
  ['default', t.model.modes.default],
  ['acceptEdits', t.model.modes.acceptEdits],
  ['plan', t.model.modes.plan],
];

/** Models that other sessions have, to be named again. */
const MAX_MODELS = 10;

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
  return (
    <>
      <label>
        {t.sessions.agent}
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
              {[
                title,
                version,
                isAvailable
                  ? ''
                  : `(${why === null ? t.sessions.notThere : t.states.missingAgent(name, undefined, why)})`,
              ]
                .filter(Boolean)
                .join(' ')}
            </option>
          ))}
        </select>
      </label>
      <FolderField folder={folder} onFolder={onFolder} />
      <TrustBox folder={folder.trim()} />
      {!isOnScreen && <SdkFields />}
    </>
  );
}

/** What an agent is told on its command line that speaks with the hub. */
function SdkFields() {
  const { sessions } = useHubView();
  const used = sessions.filter((session) => !isScripted(session)).map(({ model }) => model);
  const models = [...new Set(used)].filter((model) => model !== null).slice(0, MAX_MODELS);
  return (
    <div className="pair">
      <label>
        {t.sessions.model}
        <input
          name="model"
          className="field"
          placeholder={t.sessions.itsOwn}
          list="known-models"
          autoCapitalize="off"
          spellCheck={false}
        />
        <datalist id="known-models">
          {models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
      </label>
      <label>
        {t.sessions.permissions}
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
      {agents && !preferred && <p className="problem">{t.sessions.cannotLaunch}</p>}
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
    folder: withoutSlash(wordIn(form, 'folder')),
    ...(model === '' ? {} : { model }),
    ...(mode === '' ? {} : { mode }),
  };
}
