import { type SessionCore, saidIn } from './session-core.ts';
import type { Thread } from './thread.ts';

/** How often the host hears of a tool that takes long. */
const PROGRESS_EVERY_MS = 10_000;

/** Tell the host from time to time that a tool is still at work: silence looks like a hang. */
export async function withProgress<T>(
  core: SessionCore,
  thread: Thread,
  call: { id: string; name: string },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    void core.send({
      type: 'tool_progress',
      tool_use_id: call.id,
      tool_name: call.name,
      elapsed_time_seconds: Math.round((performance.now() - startedAt) / 1000),
      ...saidIn(thread, core),
    });
  }, progressEveryMs(core.env));
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

function progressEveryMs({ SIGNALBOX_TOOL_PROGRESS_MS: text }: NodeJS.ProcessEnv): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : PROGRESS_EVERY_MS;
}
