import { SignalboxError } from '@signalbox/protocol';

/** A file that is kept for the agent cannot be used; the session goes on without it. */
export class ProjectFileError extends SignalboxError {
  constructor(place: string, problem: string, cause?: unknown) {
    super('PROJECT_FILE_INVALID', `${place}: ${problem}. It is left out.`, { cause });
  }
}

/** Told in words what is left out, and why. */
export type OnProblem = (text: string) => void;

/** What was read, or undefined and a reported problem: one bad file must not keep the others from being loaded. */
export async function orProblem<T>(onProblem: OnProblem, read: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error;
    onProblem(error.message);
    return undefined;
  }
}
