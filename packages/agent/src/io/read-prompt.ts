import type { PromptMessage } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';

/** How long a prompt on the command line waits for more on stdin. */
const STDIN_PATIENCE_MS = 3000;

/** A prompt as a host would send it. */
export function promptOf(content: string): PromptMessage {
  if (content.trim() === '') {
    throw new UsageError(
      'Input must be provided either through stdin or as a prompt argument when using --print.',
    );
  }
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' };
}

/** What stood on the command line, and what was piped in. */
export async function readPrompt(given: string | undefined): Promise<string> {
  if (given === undefined) return readStdin(undefined);
  return [given, await readStdin(STDIN_PATIENCE_MS)].filter(Boolean).join('\n');
}

/** All of stdin; with `patienceMs` nothing when no byte came so long: a pipe may be open that nobody writes to. */
async function readStdin(patienceMs: number | undefined): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  const timer = patienceMs === undefined ? undefined : setTimeout(() => stdin.destroy(), patienceMs);
  let text = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8')) {
      clearTimeout(timer);
      text += String(chunk);
    }
  } catch (error) {
    // Destroyed while it was being read: nothing came.
    if (text) throw error;
  }
  clearTimeout(timer);
  return text;
}
