import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { fixedPath, judgeCall, type PathContext, type ScopedRule } from '@signalbox/protocol';

/** So many rules, and files below their folders, are looked at; further ones hold for names alone. */
const MAX_LOOKED = 1_000;

/**
 * Says whether a file is one that rules keep from being read, by another name: both are the same file on the disk.
 * Undefined where none of these files has another name, so that nobody need look. Only rules that say where their files
 * are count, not `*.pem` in any folder.
 */
export function otherNames(
  rules: readonly ScopedRule[],
  context: PathContext,
): ((path: string) => boolean) | undefined {
  const files = new Set<string>();
  let left = MAX_LOOKED;
  const look = (path: string, isNamed: boolean): void => {
    if (left-- <= 0) return;
    const info = infoOf(path);
    if (info?.isDirectory()) for (const { name } of entriesOf(path)) look(join(path, name), false);
    else if (info && hasOtherName(info) && (isNamed || isCovered(path))) files.add(keyOf(info));
  };
  const isCovered = (path: string): boolean =>
    judgeCall({ toolName: 'Read', input: { file_path: path } }, { deny: rules, ask: [], allow: [] }, context)
      .behavior === 'deny';
  for (const { ruleContent = '', root } of rules) {
    const fixed = fixedPath(ruleContent, { ...context, root: root ?? context.root });
    if (fixed) look(fixed.path, fixed.isWhole);
  }
  return files.size === 0 ? undefined : (path) => isAmong(files, path);
}

/** Those of the files that have further names: most have none, and nothing more need be looked at. */
export function severallyNamed(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const info = infoOf(path);
    return info !== undefined && hasOtherName(info);
  });
}

function isAmong(files: ReadonlySet<string>, path: string): boolean {
  const info = infoOf(path);
  return info !== undefined && hasOtherName(info) && files.has(keyOf(info));
}

function hasOtherName(info: Stats): boolean {
  return info.isFile() && info.nlink > 1;
}

function keyOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}

function infoOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
