import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { realPath } from '@signalbox/transport/real-path';
import * as z from 'zod/mini';
import { missingFile } from './files/missing-file.ts';
import type { GrepEngine, GrepQuery } from './search/grep-query.ts';
import { newestFirst } from './search/newest-first.ts';
import { ownGrep } from './search/own-grep.ts';
import { hasRipgrep, ripgrep } from './search/ripgrep.ts';
import { shownPath } from './search/shown-path.ts';
import { visibleBelow } from './search/visible-below.ts';
import { defineTool, type Tool, type ToolResult } from './tool.ts';

/** How many lines, files or counts are shown unless the model asks for others, and how many characters at most. */
export const DEFAULT_HEAD_LIMIT = 250;
export const MAX_GREP_CHARS = 30_000;

/** How many files are looked at to find the newest of them. */
const MAX_FOUND_FILES = 100_000;

const count = z.optional(z.number().check(z.nonnegative()));

const input = z.object({
  pattern: z.string(),
  path: z.optional(z.string()),
  glob: z.optional(z.string()),
  type: z.optional(z.string()),
  output_mode: z.optional(z.enum(['content', 'files_with_matches', 'count'])),
  '-A': count,
  '-B': count,
  '-C': count,
  context: count,
  '-n': z.optional(z.boolean()),
  '-i': z.optional(z.boolean()),
  head_limit: count,
  offset: count,
  multiline: z.optional(z.boolean()),
});

/** The search tool on a given engine; without one, on ripgrep where it is installed. */
export function grepToolOn(engine?: GrepEngine): Tool {
  return defineTool({
    name: 'Grep',
    description: [
      'Search in files with a regular expression (the syntax of ripgrep). Ignored and binary files are left out.',
      '- `output_mode`: `files_with_matches` (default; the newest first), `content` (lines, with `-A`, `-B`, `-C` lines around them, `-n` numbers), or `count`.',
      '- `path` is a file or folder; `glob` (`*.{ts,tsx}`) and `type` (`js`, `py`, `rust`, …) narrow the search. `-i` ignores case; `multiline` lets `.` and a match cross lines.',
      `- \`head_limit\` (default ${DEFAULT_HEAD_LIMIT}, 0 for all) and \`offset\` page through the results. Escape literal braces and parentheses: \`interface\\{\\}\`.`,
    ].join('\n'),
    input,
    isReadOnly: true,
    paths: ({ path = '.' }) => [path],
    async run(wanted, { session, signal, paths: [root = session.cwd] }) {
      const { cwd: folder, env } = session;
      // By its real name, so that what is found is shown from it on.
      const cwd = realPath(folder);
      const stats = await stat(root).catch(async () => {
        throw await missingFile(root, session);
      });
      const around = wanted['-C'] ?? wanted.context ?? 0;
      const mayShow = session.readFilter('Grep');
      const query: GrepQuery = {
        pattern: wanted.pattern,
        cwd,
        root,
        rootIsFile: stats.isFile(),
        mode: wanted.output_mode ?? 'files_with_matches',
        before: Math.floor(wanted['-B'] ?? around),
        after: Math.floor(wanted['-A'] ?? around),
        hasLineNumbers: wanted['-n'] ?? true,
        ignoresCase: wanted['-i'] ?? false,
        isMultiline: wanted.multiline ?? false,
        glob: wanted.glob,
        type: wanted.type,
        mayShow: mayShow && visibleBelow(mayShow, root, resolve(folder, wanted.path ?? '.')),
      };
      const search = engine ?? ((await hasRipgrep(env)) ? ripgrep : ownGrep);
      const page = { limit: wanted.head_limit ?? DEFAULT_HEAD_LIMIT, offset: wanted.offset ?? 0 };
      return report(query.mode, await takePage(search(query, { env, signal }), query, page), page);
    },
  });
}

export const grepTool = grepToolOn();

interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface Taken {
  readonly lines: readonly string[];
  /** There is more than was taken. */
  readonly isCut: boolean;
}

async function takePage(
  found: AsyncIterable<string>,
  { mode, cwd }: GrepQuery,
  { limit, offset }: Page,
): Promise<Taken> {
  if (mode !== 'files_with_matches') return take(found, limit, offset);
  const all: string[] = [];
  for await (const file of found) {
    all.push(resolve(cwd, file));
    if (all.length >= MAX_FOUND_FILES) break;
  }
  const newest = await newestFirst(all);
  return take(
    newest.map((file) => shownPath(file, cwd)),
    limit,
    offset,
  );
}

/** A search that has filled its page is not carried on. */
async function take(
  found: AsyncIterable<string> | Iterable<string>,
  limit: number,
  offset: number,
): Promise<Taken> {
  const lines: string[] = [];
  let skipped = 0;
  let room = MAX_GREP_CHARS;
  for await (const line of found) {
    if (skipped < offset) {
      skipped += 1;
      continue;
    }
    room -= line.length + 1;
    if ((limit > 0 && lines.length >= limit) || room < 0) return { lines, isCut: true };
    lines.push(line);
  }
  return { lines, isCut: false };
}

function report(mode: GrepQuery['mode'], { lines, isCut }: Taken, { offset }: Page): ToolResult {
  const applied = {
    ...(isCut ? { appliedLimit: lines.length } : {}),
    ...(offset > 0 ? { appliedOffset: offset } : {}),
  };
  const more = isCut ? [`(There is more; go on with offset ${offset + lines.length}.)`] : [];
  const content = lines.join('\n');
  const numFiles = lines.length;
  if (mode === 'files_with_matches') {
    return {
      content: numFiles === 0 ? 'No files found' : [`Found ${numFiles} files`, content, ...more].join('\n'),
      structured: { mode, filenames: lines, numFiles, ...applied },
    };
  }
  if (mode === 'count') {
    const numMatches = lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(':') + 1)), 0);
    const total = `Found ${numMatches} matches in ${numFiles} files.`;
    return {
      content: numFiles === 0 ? 'No matches found' : [content, total, ...more].join('\n'),
      structured: { mode, numFiles, filenames: [], content, numMatches, ...applied },
    };
  }
  return {
    content: lines.length === 0 ? 'No matches found' : [content, ...more].join('\n'),
    structured: { mode, numFiles: 0, filenames: [], content, numLines: lines.length, ...applied },
  };
}
