import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@signalbox/protocol';

/** The prompt that makes the scripted model call a tool. */
export function call(tool: string, input: JsonObject): string {
  return `call ${tool} ${JSON.stringify(input)}`;
}

/** The prompt that makes the scripted model hand a prompt to a sub-agent and wait for it. */
export function delegate(prompt: string, input: JsonObject = {}): string {
  return call('Task', {
    description: 'a part of it',
    subagent_type: 'general-purpose',
    run_in_background: false,
    prompt,
    ...input,
  });
}

/** A fresh id for a prompt, as hosts make it. */
export function promptId(): string {
  return randomUUID();
}

/** Ask for nothing: what most scenarios about tools want. */
export const UNASKED: readonly string[] = ['--dangerously-skip-permissions'];
