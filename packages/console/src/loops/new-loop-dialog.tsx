import { useState } from 'react';
import type { NewLoop } from 'signalbox/hub';
import { rulesFrom } from '../model/loop-form.ts';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { LaunchFields, LaunchTrouble, launchIn } from '../sessions/launch-fields.tsx';
import { ProfileField } from '../sessions/profile-field.tsx';
import { useLaunchableAgents } from '../sessions/use-launchable-agents.ts';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { LoopFields } from './loop-fields.tsx';

/** Run an agent of the hub's machine again and again. */
export default function NewLoopDialog({ folder, onClose }: { folder: string; onClose: () => void }) {
  const { api, loops } = useHub();
  const { agents, preferred, problem } = useLaunchableAgents();
  const [place, setPlace] = useState(folder);
  const begin = async (form: FormData): Promise<void> => {
    const profile = wordIn(form, 'profile');
    const launch = { ...launchIn(form), ...(profile === '' ? {} : { profile }) };
    if (form.has('trust')) await api.trustFolder(launch.folder);
    loops.put(await api.createLoop(loopFrom(form, launch)));
  };
  return (
    <FormDialog
      title={t.loops.title}
      action={[t.loops.begin, t.loops.beginning]}
      startAt="prompt"
      isReady={preferred !== undefined}
      onSubmit={begin}
      onClose={onClose}
    >
      <label>
        {t.loops.task}
        <textarea
          name="prompt"
          className="field"
          dir="auto"
          rows={3}
          required
          placeholder={t.loops.taskHint}
        />
      </label>
      <LaunchFields agents={agents} preferred={preferred} folder={place} onFolder={setPlace} />
      <ProfileField />
      <LoopFields />
      <LaunchTrouble agents={agents} preferred={preferred} problem={problem} />
    </FormDialog>
  );
}

function loopFrom(form: FormData, launch: ReturnType<typeof launchIn>): NewLoop {
  const rules = rulesFrom(
    (name) => wordIn(form, name),
    (name) => form.has(name),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a new loop has no condition to take away
  return { ...rules, launch, prompt: wordIn(form, 'prompt') } as NewLoop;
}
