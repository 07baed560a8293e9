import { isAbsolute, join, relative, resolve } from 'node:path';
import * as z from 'zod/mini';
import { globMatcher } from '../base/glob.ts';
import { isFolder } from '../base/is-folder.ts';
import { ToolFailure } from '../base/tool-failure.ts';
import { newestFirst } from './search/newest-first.ts';
import { visibleBelow } from './search/visible-below.ts';
import { walkFiles } from './search/walk-files.ts';
import { defineTool } from './tool.ts';

/** How many files are shown, and how many are looked at to find the newest of them. */
export const MAX_SHOWN_FILES = 100;
export const MAX_FOUND_FILES = 100_000;

export const globTool = defineTool({
  name: 'Glob',
  description: [
    'Find files by name, the newest first.',
    '- `pattern`: `**/*.ts`, `src/**/*.{js,jsx}`, `docs/[a-m]*`; `*` stays inside of a name, `**` crosses folders. Hidden and ignored files are found too, the folders of version control are not.',
    `- \`path\`: where to look; the working directory if left out. At most ${MAX_SHOWN_FILES} files are shown. To search in files use Grep.`,
  ].join('\n'),
  input: z.object({ pattern: z.string(), path: z.optional(z.string()) }),
  isReadOnly: true,
  paths: ({ pattern, path = '.' }) => [join(isAbsolute(pattern) ? '/' : path, fixedFolder(pattern))],
  async run({ pattern, path = '.' }, { session, signal, paths: [root = path] }) {
    const startedAt = performance.now();
    const base = resolve(session.cwd, path);
    const fixed = fixedFolder(pattern);
    const named = resolve(base, fixed);
    if (!(await isFolder(base))) throw new ToolFailure(`${base} is not a directory.`);
    const rest = pattern
      .slice(fixed.length)
      .replace(/^\/+/, '')
      .replace(/^(?:\.\/)+/, '');
    const isWanted = globMatcher(rest);
    const depth = deepest(rest);
    const found: string[] = [];
    const maySee = visibleBelow(session.readFilter('Glob'), root, named);
    const entersFolder = (folder: string): boolean => relative(root, folder).split('/').length < depth;
    for await (const file of walkFiles(root, { signal, entersFolder })) {
      if (isWanted(relative(root, file)) && maySee(file)) found.push(file);
      if (found.length >= MAX_FOUND_FILES) break;
    }
    const newest = await newestFirst(found);
    // By the name that was asked for.
    const filenames = newest.slice(0, MAX_SHOWN_FILES).map((file) => join(named, relative(root, file)));
    const truncated = found.length > filenames.length;
    const note = `(${found.length} files match; these are the ${filenames.length} newest. Narrow the pattern.)`;
    return {
      content:
        filenames.length === 0 ? 'No files found' : [...filenames, ...(truncated ? [note] : [])].join('\n'),
      structured: {
        filenames,
        durationMs: Math.round(performance.now() - startedAt),
        numFiles: filenames.length,
        truncated,
      },
    };
  },
});

/** The part of a pattern that is a path like any other: only below it something can match. */
function fixedFolder(pattern: string): string {
  const names = pattern.split('/');
  const firstMagic = names.findIndex((name) => /[*?[{\\]/.test(name));
  const fixed = names.slice(0, firstMagic < 0 ? -1 : firstMagic).join('/');
  return pattern.startsWith('/') && fixed === '' ? '/' : fixed;
}

/** How many names the paths that fit can have at most. */
function deepest(pattern: string): number {
  return pattern.includes('**') ? Number.POSITIVE_INFINITY : pattern.split('/').length;
}
