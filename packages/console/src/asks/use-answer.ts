import type { PermissionRequest, PersonAnswer, RuleSuggestion } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useMayAnswer } from '../shell/scope.ts';
import { useSending } from './use-sending.ts';

/** How an answer stands. */
export interface Answering {
  answer: (answer: PersonAnswer) => void;
  /** Keep a rule in the hub, which answers this request and those like it. */
  keepRule: (rule: RuleSuggestion) => void;
  /** Takes back what is about to be sent. */
  undo: (() => void) | undefined;
  isLocked: boolean;
  problem: string;
}

/** Answer a request. The card goes when the hub says that it is closed, whoever was first. */
export function useAnswer({ session, requestId }: PermissionRequest): Answering {
  const { api, stream } = useHub();
  const mayAnswer = useMayAnswer();
  const { send, undo, isSending, problem } = useSending();
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
  return { answer, keepRule, undo, isLocked: isSending || !mayAnswer, problem };
}
