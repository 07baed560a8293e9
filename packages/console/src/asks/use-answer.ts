import { messageOf } from '@signalbox/protocol';
import { useState } from 'react';
import type { PermissionRequest, PersonAnswer, RuleSuggestion } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useMayAnswer } from '../shell/scope.ts';

/** How an answer stands. */
export interface Answering {
  answer: (answer: PersonAnswer) => void;
  /** Keep a rule in the hub, which answers this request and those like it. */
  keepRule: (rule: RuleSuggestion) => void;
  isLocked: boolean;
  problem: string;
}

/** Answer a request. The card goes when the hub says that it is closed, whoever was first. */
export function useAnswer({ session, requestId }: PermissionRequest): Answering {
  const { api, stream } = useHub();
  const mayAnswer = useMayAnswer();
  const [state, setState] = useState<'open' | 'sending'>('open');
  const [problem, setProblem] = useState('');
  const send = (saying: () => Promise<unknown>): void => {
    setState('sending');
    setProblem('');
    saying().catch((error: unknown) => {
      setState('open');
      setProblem(messageOf(error));
    });
  };
  const answer = (said: PersonAnswer): void => send(() => stream.answer(session, requestId, said));
  const keepRule = ({ rule, behavior, folder, session: only }: RuleSuggestion): void =>
    send(() =>
      api.addRule({
        rule,
        behavior,
        ...(folder === null ? {} : { folder }),
        ...(only === null ? {} : { session: only }),
      }),
    );
  return { answer, keepRule, isLocked: state === 'sending' || !mayAnswer, problem };
}
