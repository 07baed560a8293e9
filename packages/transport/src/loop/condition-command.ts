import { SignalboxError } from '@signalbox/protocol';
import type { LoopCheck } from '@signalbox/protocol/loop';
import { endMarked, type ProcessMark, runMarked } from './marked-command.ts';

/** The variable that a condition command inherits, and by which it is found again after its parent was killed. */
const LOOP_MARK = 'SIGNALBOX_LOOP';

/** How much of what a command says is kept for people. */
const LAST_WORDS = 1000;

/** What a shell says of a program that cannot be run, or is not there. */
const NOT_RUNNABLE = [126, 127];

/** A condition command took longer than it may. */
export class LoopConditionTimeoutError extends SignalboxError {
  constructor(command: string, seconds: number) {
    super(
      'LOOP_CONDITION_TIMEOUT',
      `The condition command did not end within ${seconds} s and was killed: ${command}. Make it faster, or allow it more time.`,
    );
  }
}

/** A condition command cannot be run at all. */
export class LoopConditionError extends SignalboxError {
  constructor(command: string, words: string) {
    super(
      'LOOP_CONDITION_FAILED',
      `The condition command cannot be run: ${command}. ${words.trim() || 'The shell did not say why.'}`,
    );
  }
}

/** A condition to check. */
export interface Condition {
  command: string;
  folder: string;
  seconds: number;
  /** The loop that it belongs to. */
  loop: string;
  signal?: AbortSignal;
}

/**
 * Run a command in a shell and say whether it exited with 0. Whatever it started ends with it. Called off by the
 * signal, it is killed and unmet.
 */
export async function checkCondition({
  command,
  folder,
  seconds,
  loop,
  signal,
}: Condition): Promise<LoopCheck> {
  if (signal?.aborted) return { result: 'unmet' };
  let words = '';
  const end = await runMarked({
    command,
    folder,
    seconds,
    mark: markOf(loop),
    ...(signal ? { signal } : {}),
    onOutput: (text) => {
      words = (words + text).slice(-LAST_WORDS);
    },
  });
  const failed = ({ code, message }: SignalboxError): LoopCheck => ({ result: 'failed', code, message });
  if (end.how === 'timeout') return failed(new LoopConditionTimeoutError(command, seconds));
  if (end.how === 'not-run') return failed(new LoopConditionError(command, end.message));
  if (end.code === 0) return { result: 'met' };
  if (end.code !== null && NOT_RUNNABLE.includes(end.code))
    return failed(new LoopConditionError(command, words));
  return { result: 'unmet' };
}

/** End what a condition command of this loop left behind, also one of a process that was killed over it. */
export function endLeftCondition(loop: string): void {
  endMarked(markOf(loop));
}

function markOf(loop: string): ProcessMark {
  return { name: LOOP_MARK, value: loop };
}
