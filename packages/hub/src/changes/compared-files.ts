import { LIMITS } from '@signalbox/protocol';
import type { ChangedFile } from '@signalbox/protocol/hub';
import type { Git } from '@signalbox/transport/git';

/** A file that differs from a tree. */
export type ComparedFile = Omit<ChangedFile, 'staged'>;

/** Words that keep `git diff` to what is asked: no program of the repository, no colours, no look into submodules. */
export const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--find-renames',
];

const KINDS: Readonly<Record<string, ComparedFile['kind']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'retyped',
  U: 'conflicted',
};

const SUBMODULE = '160000';

/** Tracked files that differ between a tree and the folder, or between two trees: all of them, or of some paths. */
export async function compareFiles(
  { git }: { git: Git },
  trees: readonly string[],
  paths: readonly string[],
): Promise<{ files: ComparedFile[]; isCut: boolean }> {
  const words = ['diff', '--raw', '--numstat', '-z', '--abbrev=40', ...PLAIN_DIFF, ...trees, '--', ...paths];
  const { stdout, isCut } = await git.run(words, { maxBytes: LIMITS.changeListBytes.most });
  return { files: parseComparison(stdout.toString()), isCut };
}

function parseComparison(text: string): ComparedFile[] {
  const pieces = text.split('\0').slice(0, -1);
  const files = new Map<string, ComparedFile>();
  let at = 0;
  const next = (): string => pieces[at++] ?? '';
  while (at < pieces.length) {
    const piece = next();
    if (piece.startsWith(':')) {
      const [oldMode = '', newMode = '', , , letters = ''] = piece.slice(1).split(' ');
      const letter = letters[0] ?? '';
      const first = next();
      const isPair = letter === 'R' || letter === 'C';
      const path = isPair ? next() : first;
      // A conflict comes with a second line for the file as it is: the first says what matters.
      if (files.get(path)?.kind === 'conflicted') continue;
      files.set(path, {
        path,
        ...(letter === 'R' ? { oldPath: first } : {}),
        kind: KINDS[letter] ?? 'modified',
        added: null,
        removed: null,
        isBinary: false,
        isSubmodule: oldMode === SUBMODULE || newMode === SUBMODULE,
      });
    } else {
      const [added = '', removed = '', ...rest] = piece.split('\t');
      // A name may have tabs as well.
      const name = rest.join('\t');
      // Of a rename both names follow.
      const path = name === '' ? (next(), next()) : name;
      const file = files.get(path);
      if (!file) continue;
      file.isBinary = added === '-';
      file.added = file.isBinary ? null : Number(added);
      file.removed = file.isBinary ? null : Number(removed);
    }
  }
  return [...files.values()];
}
