import type { Extensions } from '../loop/extensions.ts';
import type { SessionCore } from '../loop/session-core.ts';
import type { Thread } from '../loop/thread.ts';

interface Described {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
}

/** What a local command may do to its session. */
export interface CommandContext {
  readonly core: SessionCore;
  readonly thread: Thread;
  readonly extensions: Extensions;
  readonly signal: AbortSignal;
  /** All that can be called. */
  commands(): readonly Command[];
  setModel(name: string): void;
  /** Forget the conversation and go on under a new session id. */
  startOver(): Promise<void>;
  /** Put a summary in the place of the conversation. */
  compact(instructions: string | undefined): Promise<void>;
}

/** A command that is carried out here, without the model. What it returns is its output. */
export interface LocalCommand extends Described {
  readonly kind: 'local';
  run(args: string, context: CommandContext): Promise<string>;
}

/** A command that stands for a prompt. */
export interface PromptingCommand extends Described {
  readonly kind: 'prompt';
  /** What the prompt may use without asking. */
  readonly allowedTools?: readonly string[];
  readonly model?: string;
  expand(args: string, signal: AbortSignal): Promise<string>;
}

export type Command = LocalCommand | PromptingCommand;

/** What a prompt that begins with a slash calls, if there is such a command: `/name arguments`. */
export function parseCommandLine(text: string): { name: string; args: string } | undefined {
  const match = /^\/([A-Za-z0-9][\w:./-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], args: match[2]?.trim() ?? '' };
}
