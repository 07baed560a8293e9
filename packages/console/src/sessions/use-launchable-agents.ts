import { useEffect, useState } from 'react';
import type { LaunchableAgent } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';

/** The agents that the hub can start, those with nothing but a screen where they are wanted too, and the first that is there. */
export function useLaunchableAgents({ withScreens = false } = {}) {
  const { api } = useHub();
  const [agents, setAgents] = useState<readonly LaunchableAgent[]>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    api.agents().then(
      ({ items }) => setAgents(items.filter(({ view }) => withScreens || view !== 'terminal')),
      (error: unknown) => setProblem(problemWords(error)),
    );
  }, [api, withScreens]);
  const preferred = agents?.find(({ isAvailable, view }) => isAvailable && view !== 'terminal')?.name;
  return { agents, problem, preferred };
}
