import { LIMITS, messageOf, SignalboxError } from '@signalbox/protocol';

const MIB = 1024 * 1024;

/** The code of what went wrong in the first place. */
export function rootCodeOf(error: unknown): string {
  if (!(error instanceof SignalboxError)) return 'UNEXPECTED';
  return error.cause instanceof SignalboxError ? rootCodeOf(error.cause) : error.code;
}

/** Why an agent was ended that could not be heard any further, for a person who sees how it ended. */
export function endWords(error: unknown): string {
  const code = rootCodeOf(error);
  const why =
    code === 'LINE_TOO_LONG'
      ? `the agent wrote a line of more than ${LIMITS.lineBytes.most / MIB} MiB, which is more than a line may have`
      : messageOf(error).replace(/\.$/, '');
  return `${code}: ${why}. It was ended.\n`;
}
