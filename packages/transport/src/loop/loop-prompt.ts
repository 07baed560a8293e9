import { LIMITS, messageOf, SignalboxError } from '@signalbox/protocol';
import { readPlainFile } from '../read-plain-file.ts';

/** The file with the prompt of a loop cannot be used. */
export class LoopPromptFileError extends SignalboxError {
  constructor(path: string, why: string) {
    super(
      'LOOP_PROMPT_FILE',
      `The prompt cannot be read from ${path}: ${why}. Put the file back, or name another one.`,
    );
  }
}

/** What a file tells the agent now. Raises `LOOP_PROMPT_FILE`. */
export function readLoopPrompt(path: string): string {
  const text = read(path).trim();
  if (text === '') throw new LoopPromptFileError(path, 'it is empty');
  if (Buffer.byteLength(text) > LIMITS.loopPromptBytes.most)
    throw new LoopPromptFileError(path, `it has more than ${LIMITS.loopPromptBytes.most} bytes`);
  return text;
}

function read(path: string): string {
  try {
    return readPlainFile(path);
  } catch (error) {
    throw new LoopPromptFileError(path, messageOf(error));
  }
}
