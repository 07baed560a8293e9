import { messageOf } from '@signalbox/protocol';
import { useEffect, useState } from 'react';
import type { LaunchableAgent, LaunchSpec } from 'signalbox/hub';
import { FormDialog, wordIn } from './form-dialog.tsx';
import { useHub } from './hub-context.ts';
import { go, pathOf } from './route.ts';
import { TrustBox } from './trust-box.tsx';

const MODES: readonly [string, string][] = [
  ['', 'As its settings say'],
  ['default', 'Asks before it acts'],
  ['acceptEdits', 'Accepts edits'],
  ['plan', 'Plans only'],
];

/** Start an agent on the hub's machine. */
export function NewSessionDialog({ folder, onClose }: { folder: string; onClose: () => void }) {
  const hub = useHub();
  const [agents, setAgents] = useState<readonly LaunchableAgent[]>();
  const [problem, setProblem] = useState('');
  const [place, setPlace] = useState(folder);

  useEffect(() => {
    hub.api.agents().then(
      ({ items }) => setAgents(items.filter(({ name }) => name !== 'custom')),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [hub]);

  const start = async (form: FormData): Promise<void> => {
    const launch = launchFrom(form);
    if (form.has('trust')) await hub.api.trustFolder(launch.folder);
    const { session } = await hub.api.createSession({ launch });
    hub.add(session);
    go(pathOf(session.id));
  };

  const preferred = agents?.find(({ isAvailable }) => isAvailable)?.name;
  return (
    <FormDialog
      title="New session"
      action={['Start', 'Starting …']}
      startAt={folder === '' ? 'folder' : 'prompt'}
      isReady={preferred !== undefined}
      onSubmit={start}
      onClose={onClose}
    >
      <label>
        Agent
        {/* Another key when the list is there: a default counts only at first. */}
        <select key={preferred} name="agent" className="field" defaultValue={preferred} disabled={!agents}>
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
          defaultValue={folder}
          onChange={({ target }) => setPlace(target.value.trim())}
          autoCapitalize="off"
          spellCheck={false}
        />
      </label>
      <TrustBox folder={place} />
      <div className="pair">
        <label>
          Model
          <input
            name="model"
            className="field"
            placeholder="its own"
            autoCapitalize="off"
            spellCheck={false}
          />
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
      <label>
        First prompt
        <textarea
          name="prompt"
          className="field"
          dir="auto"
          rows={3}
          placeholder="What is there to do? (optional)"
        />
      </label>
      {agents && !preferred && (
        <p className="problem">This hub can start no agent itself. Let one dial in: signalbox bridge.</p>
      )}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </FormDialog>
  );
}

function launchFrom(form: FormData): LaunchSpec {
  const word = (name: string): string => wordIn(form, name);
  const [model, mode, prompt] = [word('model'), word('mode'), word('prompt')];
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options of the list are the hub's own
    agent: word('agent') as LaunchSpec['agent'],
    folder: word('folder'),
    ...(model === '' ? {} : { model }),
    ...(mode === '' ? {} : { mode }),
    ...(prompt === '' ? {} : { prompt }),
  };
}
