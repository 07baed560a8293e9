import type { Care } from './care.ts';
import { matchesSegments, parseSegment } from './path-glob.ts';
import { PermissionRuleError } from './rule-error.ts';

/** Where a path is read: `root` is what a leading `/` means, the folder that belongs to the rule's settings. */
export interface PathContext {
  readonly cwd: string;
  readonly home: string;
  readonly root?: string | undefined;
}

/** A file rule's content: names below one of four folders. */
export interface PathPattern {
  readonly anchor: 'filesystem' | 'home' | 'root' | 'cwd';
  readonly names: readonly string[];
  /** A bare name, found at any depth. */
  readonly bare: boolean;
  /** `name/**`, found at any depth by a wary match. */
  readonly singleFolder: boolean;
  readonly foldersOnly: boolean;
}

const ANCHORS = [
  ['//', 'filesystem'],
  ['~/', 'home'],
  ['/', 'root'],
  ['./', 'cwd'],
] as const;

/** How much is compared at most: the names, and the characters, of a pattern times those of a path. Both have some ten names. */
const MAX_NAMES = 50_000;
const MAX_CHARACTERS = 4_000_000;

/** Reads a gitignore pattern with its anchor; throws {@link PermissionRuleError}. */
export function parsePathPattern(content: string): PathPattern {
  const anchored = ANCHORS.find(([prefix]) => content.startsWith(prefix));
  const body = anchored ? content.slice(anchored[0].length) : content;
  const names = body.split('/').filter((name) => name !== '' && name !== '.');
  if (content.startsWith('!')) throw new PermissionRuleError(content, 'a path pattern cannot be negated');
  if (names.includes('..')) throw new PermissionRuleError(content, 'a path pattern cannot contain ".."');
  if (names.length === 0) throw new PermissionRuleError(content, 'a path pattern must name a file');
  return {
    anchor: anchored?.[1] ?? 'cwd',
    names,
    bare: anchored === undefined && names.length === 1,
    singleFolder: anchored === undefined && names.length === 2 && names[1] === '**',
    foldersOnly: body.endsWith('/'),
  };
}

/** Whether the pattern covers a path, or a folder around it. `.` and `..` are resolved by text: resolve links before. */
export function matchesPath(pattern: PathPattern, path: string, context: PathContext, care: Care): boolean {
  const fold = care === 'wary' ? foldName : (name: string) => name;
  const { cwd, home, root = cwd } = context;
  const anchors = { filesystem: '/', home, root, cwd };
  const anchor = splitPath(anchors[pattern.anchor], context).map(fold);
  const target = splitPath(path, context).map(fold);
  if (anchor.some((name, at) => name !== target[at])) return false;
  const anywhere = pattern.bare || (pattern.singleFolder && care === 'wary');
  const names = [
    ...(anywhere ? ['**'] : []),
    ...pattern.names.map(fold),
    ...(pattern.foldersOnly ? ['*'] : []),
    '**',
  ];
  const below = target.slice(anchor.length);
  // Nobody writes such a pair but to keep others waiting: whoever is wary takes it for covered.
  const characters = names.join('/').length * below.join('/').length;
  if (names.length * below.length > MAX_NAMES || characters > MAX_CHARACTERS) return care === 'wary';
  return matchesSegments(names.map(parseSegment), below);
}

/**
 * The file that a rule's content names, or the folder that holds all that it covers; undefined where these may lie
 * anywhere below a folder of the person's.
 */
export function fixedPath(
  content: string,
  context: PathContext,
): { readonly path: string; readonly isWhole: boolean } | undefined {
  let pattern: PathPattern;
  try {
    pattern = parsePathPattern(content);
  } catch (error) {
    if (error instanceof PermissionRuleError) return undefined;
    throw error;
  }
  const { cwd, home, root = cwd } = context;
  const anchor = { filesystem: '', home, root, cwd }[pattern.anchor];
  const wild = pattern.names.findIndex((name) => /[*?[\]\\]/.test(name));
  const fixed = wild === -1 ? pattern.names : pattern.names.slice(0, wild);
  return fixed.length === 0 ? undefined : { path: `${anchor}/${fixed.join('/')}`, isWhole: wild === -1 };
}

/** The names of an absolute path, with `~`, `.` and `..` resolved by text alone. */
export function splitPath(path: string, context: PathContext): string[] {
  const tilde = path === '~' || path.startsWith('~/');
  const full = tilde ? context.home + path.slice(1) : path.startsWith('/') ? path : `${context.cwd}/${path}`;
  const names: string[] = [];
  for (const name of full.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names;
}

/**
 * Some file systems take `.ENV` for `.env`, `\u017Fecret` for `secret` and leave out what cannot be seen: a wary match must,
 * too.
 */
export function foldName(name: string): string {
  if (/^[ -~]*$/.test(name)) return name.toLowerCase();
  return name
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();
}
