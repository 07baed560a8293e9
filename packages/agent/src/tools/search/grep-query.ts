import { headOf } from '../../base/cut-text.ts';

/** How long a line of output may be; the rest of it is cut. */
export const MAX_GREP_LINE_CHARS = 500;

/** What to search for, and where. */
export interface GrepQuery {
  /** Absent where every file may be shown. */
  readonly mayShow?: ((file: string) => boolean) | undefined;
  readonly pattern: string;
  /** Where the session is at work: names are shown, and globs are read, from here. */
  readonly cwd: string;
  /** The file or folder to search, absolute. */
  readonly root: string;
  readonly rootIsFile: boolean;
  readonly mode: 'content' | 'files_with_matches' | 'count';
  readonly before: number;
  readonly after: number;
  readonly hasLineNumbers: boolean;
  readonly ignoresCase: boolean;
  readonly isMultiline: boolean;
  readonly glob: string | undefined;
  readonly type: string | undefined;
}

/** Searches, and hands over one line of output after the other, files in the order of their names. */
export type GrepEngine = (
  query: GrepQuery,
  context: { env: NodeJS.ProcessEnv; signal: AbortSignal },
) => AsyncGenerator<string>;

/** A line of output, at the length in which it is shown. */
export function cutLine(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.length > MAX_GREP_LINE_CHARS ? `${headOf(text, MAX_GREP_LINE_CHARS)}…` : text;
}
