import { messageOf } from '@signalbox/protocol';
import { useState } from 'react';
import type { PermissionRequest, PersonAnswer } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useMayAnswer } from '../shell/scope.ts';

/** How an answer stands. */
export interface Answering {
  answer: (answer: PersonAnswer) => void;
  isLocked: boolean;
  problem: string;
}

/** Answer a request. The card goes when the hub says that it is closed, whoever was first. */
export function useAnswer({ session, requestId }: PermissionRequest): Answering {
  const { stream } = useHub();
  const mayAnswer = useMayAnswer();
  const [state, setState] = useState<'open' | 'sending'>('open');
  const [problem, setProblem] = useState('');
  const answer = (said: PersonAnswer): void => {
    setState('sending');
    setProblem('');
    stream.answer(session, requestId, said).catch((error: unknown) => {
      setState('open');
      setProblem(messageOf(error));
    });
  };
  return { answer, isLocked: state === 'sending' || !mayAnswer, problem };
}
