import { UsageError } from '../base/agent-errors.ts';
import type { Host, Output } from '../base/host.ts';

/** A host that hears what the agent says and answers nothing, for example a pipe. */
export function listeningHost(output: Output): Host {
  const nobody = (): Promise<never> => Promise.reject(new UsageError('There is no host that could answer.'));
  return { ...output, answers: false, ask: nobody, request: nobody };
}
