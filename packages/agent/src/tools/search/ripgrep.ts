import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { childEnvironment } from '../../base/child-environment.ts';
import { ToolFailure } from '../../base/tool-failure.ts';
import { cutLine, type GrepQuery, MAX_GREP_LINE_CHARS } from './grep-query.ts';
import { shownPath } from './shown-path.ts';
import { NEVER_ENTERED } from './walk-files.ts';

/** How much of what ripgrep complains about is kept. */
const MAX_COMPLAINT_CHARS = 4000;

/** Nothing but the arguments decides what is found, and in which order. */
const FIXED_ARGS =
  '--no-config --no-ignore-global --no-ignore-exclude --no-ignore-dot --hidden --crlf --no-messages --color=never --no-heading --sort=path'.split(
    ' ',
  );

/** What ripgrep finds. Whoever has seen enough may stop: it is ended then. */
export async function* ripgrep(
  query: GrepQuery,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): AsyncGenerator<string> {
  const child = spawn('rg', argsFor(query), {
    cwd: query.cwd,
    env: childEnvironment(env),
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Its failure to start, and its end by our signal, are seen by whoever waits for it.
  child.on('error', () => {});
  const closed = once(child, 'close').catch(() => []);
  try {
    const complaint = collectComplaint(child);
    yield* shownLines(lines(child.stdout), query);
    const [code] = await closed;
    signal.throwIfAborted();
    // It also ends with 2 when it could not read some file, which spoils nothing.
    if (
      code === 2 &&
      /^(?:rg: )?(?:regex parse error|error parsing|unrecognized file type|the literal|error)/m.test(
        complaint(),
      )
    ) {
      throw new ToolFailure(`ripgrep cannot search for this: ${complaint().trim()}`);
    }
  } finally {
    child.kill('SIGKILL');
  }
}

/** Whether ripgrep is installed. */
export async function hasRipgrep(env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const child = spawn('rg', ['--version'], { env: childEnvironment(env), stdio: 'ignore' });
    const [code] = await once(child, 'close');
    return code === 0;
  } catch {
    return false;
  }
}

function argsFor(query: GrepQuery): string[] {
  const { before, after, glob, type, root, cwd } = query;
  const isContent = query.mode === 'content';
  return [
    ...FIXED_ARGS,
    ...(query.mode === 'files_with_matches' ? ['--files-with-matches'] : []),
    ...(query.mode === 'count' ? ['--count', '--with-filename'] : []),
    // Only behind a zero byte is a name told from what was found, and only before a number a match from its context.
    ...(isContent && isFiltered(query) ? ['--null', '--with-filename'] : []),
    ...(isContent ? [query.hasLineNumbers || isFiltered(query) ? '--line-number' : '--no-line-number'] : []),
    ...(isContent && before > 0 ? [`--before-context=${before}`] : []),
    ...(isContent && after > 0 ? [`--after-context=${after}`] : []),
    ...(query.ignoresCase ? ['--ignore-case'] : []),
    ...(query.isMultiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(type === undefined ? [] : [`--type=${type}`]),
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    ...[...NEVER_ENTERED].map((name) => `--glob=!**/${name}/**`),
    `--regexp=${query.pattern}`,
    ...(root === cwd ? [] : ['--', shownPath(root, cwd)]),
  ];
}

/** A file that is searched by name was judged with the call. */
function isFiltered({ mayShow, rootIsFile }: GrepQuery): boolean {
  return mayShow !== undefined && !rootIsFile;
}

/** The lines without those of files that may not be shown. */
async function* shownLines(found: AsyncIterable<string>, query: GrepQuery): AsyncGenerator<string> {
  const { mayShow, mode, cwd, hasLineNumbers } = query;
  if (!mayShow || !isFiltered(query)) return yield* found;
  const known = new Map<string, boolean>();
  const isShown = (name: string): boolean => {
    const shown = known.get(name) ?? mayShow(resolve(cwd, name));
    known.set(name, shown);
    return shown;
  };
  let shown = 0;
  let isParted = false;
  for await (const line of found) {
    if (mode === 'files_with_matches') {
      if (isShown(line)) yield line;
    } else if (mode === 'count') {
      if (isShown(line.slice(0, line.lastIndexOf(':')))) yield line;
    } else {
      const [, name, number = '', mark = '', text = ''] = /^([^\0]*)\0(\d+)([:-])(.*)$/s.exec(line) ?? [];
      if (name === undefined) isParted = true;
      else if (isShown(name)) {
        if (isParted && shown > 0) yield '--';
        yield `${name}${mark}${hasLineNumbers ? `${number}${mark}` : ''}${text}`;
        shown += 1;
        isParted = false;
      }
    }
  }
}

function collectComplaint(child: ChildProcessByStdio<null, Readable, Readable>): () => string {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(0, MAX_COMPLAINT_CHARS);
  });
  return () => text;
}

/** The lines of a stream, of which no more is held than is shown. */
async function* lines(stream: Readable): AsyncGenerator<string> {
  let held = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const parts = String(chunk).split('\n');
    for (const part of parts.slice(0, -1)) {
      yield cutLine(held + part);
      held = '';
    }
    held = (held + (parts.at(-1) ?? '')).slice(0, MAX_GREP_LINE_CHARS + 1);
  }
  if (held !== '') yield cutLine(held);
}
