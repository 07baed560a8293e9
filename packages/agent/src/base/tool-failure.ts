import { SignalboxError } from '@signalbox/protocol';

/** A tool could not do what it was asked to. The message is for the model: what is wrong, and what to do instead. */
export class ToolFailure extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('TOOL_FAILED', message, { cause });
  }
}

/** The model gave a tool an input that it cannot use. */
export class ToolInputError extends SignalboxError {
  constructor(tool: string, problems: readonly string[]) {
    const list = problems.map((problem) => `- ${problem}`).join('\n');
    super('TOOL_INPUT_INVALID', `${tool} was called with a wrong input:\n${list}`);
  }
}

/** The system's name for what went wrong: `ENOENT`, `EACCES`, … */
export function systemCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
