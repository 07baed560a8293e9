import { useEffect, useState } from 'react';
import type { Session, SetupOutput } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';

const LOOK_MS = 1000;

/** What the set-up of a session's worktree says while its agent is on its way; undefined where there is nothing to wait for. */
export function useSetupOutput({ id, isLaunched }: Session, activity: string): SetupOutput | undefined {
  const { api } = useHub();
  const [setup, setSetup] = useState<SetupOutput>();
  const isMeant = isLaunched && activity === 'starting';
  useEffect(() => {
    setSetup(undefined);
    if (!isMeant) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const look = async (): Promise<void> => {
      // Most sessions have no worktree, which is no trouble.
      const next = await api.setupOutput(id).catch(() => undefined);
      if (isLeft || next === undefined) return;
      setSetup(next);
      if (next.state === 'running' || next.state === 'waiting')
        timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [api, id, isMeant]);
  return setup;
}
