import { recordings } from '../schema/recordings.ts';

/** Every message that was recorded from real programs, as the line that it travels in. */
export const recordedLines: readonly string[] = recordings.map(({ message }) => JSON.stringify(message));
