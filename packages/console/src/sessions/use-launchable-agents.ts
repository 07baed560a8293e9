import { messageOf } from '@signalbox/protocol';
import { useEffect, useState } from 'react';
import type { LaunchableAgent } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';

/** The agents that the hub can start, and the first that is there. */
export function useLaunchableAgents() {
  const { api } = useHub();
  const [agents, setAgents] = useState<readonly LaunchableAgent[]>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    api.agents().then(
      ({ items }) => setAgents(items.filter(({ name }) => name !== 'custom')),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [api]);
  return { agents, problem, preferred: agents?.find(({ isAvailable }) => isAvailable)?.name };
}
