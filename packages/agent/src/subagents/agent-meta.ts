import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SessionCore } from '../loop/session-core.ts';
import type { Thread } from '../loop/thread.ts';
import { TranscriptWriteError } from '../session/session-errors.ts';

/**
 * Note beside a sub-agent's transcript what the transcript does not say: which agent it is and which call it works for.
 * In the form that `claude` writes, for those who list sub-agents.
 */
export async function noteAgentMeta(
  core: SessionCore,
  thread: Thread,
  { isBuiltIn, isFinished }: { isBuiltIn: boolean; isFinished: boolean },
): Promise<void> {
  const transcript = thread.log.file;
  if (transcript === undefined) return;
  const file = transcript.replace(/\.jsonl$/, '.meta.json');
  const meta = {
    agentType: thread.agent?.type,
    ...(isBuiltIn ? { isBuiltIn } : {}),
    description: thread.task,
    toolUseId: thread.parentToolUseId,
    spawnDepth: 1,
    ...(isFinished ? { finished: true } : {}),
  };
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(meta), { mode: 0o600 });
  } catch (error) {
    core.onProblem(new TranscriptWriteError(file, error));
  }
}
