import { useState } from 'react';
import type { LaunchSpec, StoredConversation } from 'signalbox/hub';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { go, pathOf } from '../shell/route.ts';
import { t } from '../words/t.ts';
import { ConversationField } from './conversation-field.tsx';
import { LaunchFields, LaunchTrouble, launchIn } from './launch-fields.tsx';
import { ProfileField } from './profile-field.tsx';
import { RestartField, restartIn } from './restart-field.tsx';
import { useLaunchableAgents } from './use-launchable-agents.ts';
import { WorktreeFields, worktreeIn } from './worktree-fields.tsx';

/** Start an agent on the hub's machine. */
export default function NewSessionDialog({ folder, onClose }: { folder: string; onClose: () => void }) {
  const hub = useHub();
  const { agents, preferred, problem } = useLaunchableAgents({ withScreens: true });
  const [agent, setAgent] = useState('');
  const [place, setPlace] = useState(folder);
  const [chosen, setChosen] = useState<StoredConversation>();

  const isOnScreen = agents?.some(({ name, view }) => name === agent && view === 'terminal') ?? false;

  const start = async (form: FormData): Promise<void> => {
    const launch = launchFrom(form);
    if (form.has('trust')) await hub.api.trustFolder(launch.folder);
    const worktree = await worktreeIn(form, hub.api, launch.folder);
    const { session } = await hub.api.createSession({
      launch: { ...launch, ...(worktree ? { worktree } : {}) },
    });
    hub.add(session);
    go(pathOf(session.id));
  };

  return (
    <FormDialog
      title={t.sessions.newSession}
      action={[t.sessions.start, t.sessions.starting]}
      startAt={folder === '' ? 'folder' : 'prompt'}
      isReady={preferred !== undefined}
      onSubmit={start}
      onClose={onClose}
    >
      <LaunchFields
        agents={agents}
        preferred={preferred}
        folder={place}
        onFolder={setPlace}
        onAgent={setAgent}
        isOnScreen={isOnScreen}
      />
      <ProfileField />
      {!isOnScreen && <RestartField />}
      {/* An agent finds a conversation by the folder that it was held in. */}
      {(!chosen || isOnScreen) && <WorktreeFields folder={place.trim()} />}
      {isOnScreen ? (
        <p className="faint small">{t.sessions.onlyScreen}</p>
      ) : (
        <>
          <ConversationField
            chosen={chosen}
            onChosen={(conversation) => {
              setChosen(conversation);
              if (conversation?.folder) setPlace(conversation.folder);
            }}
          />
          <label>
            {t.sessions.firstPrompt}
            <textarea
              name="prompt"
              className="field"
              dir="auto"
              rows={3}
              placeholder={t.sessions.firstPromptHint}
            />
          </label>
        </>
      )}
      <LaunchTrouble agents={agents} preferred={preferred} problem={problem} />
    </FormDialog>
  );
}

function launchFrom(form: FormData): LaunchSpec {
  const [prompt, resume] = [wordIn(form, 'prompt'), wordIn(form, 'resume')];
  const profile = wordIn(form, 'profile');
  return {
    ...launchIn(form),
    ...(profile === '' ? {} : { profile }),
    ...restartIn(form),
    ...(prompt === '' ? {} : { prompt }),
    ...(resume === '' ? {} : { resume }),
    ...(resume !== '' && form.has('fork') ? { fork: true } : {}),
  };
}
