import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;

/** What a detached process left once it knew how its start went; undefined when it ended before, or takes too long. */
export async function startedOutcome<Outcome>(
  child: ChildProcess,
  look: () => Outcome | undefined,
  patience: AbortSignal,
): Promise<Outcome | undefined> {
  while (!patience.aborted) {
    const outcome = look();
    if (outcome !== undefined) return outcome;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
    await pause(LOOK_MS);
  }
  return undefined;
}
