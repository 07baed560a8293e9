import { LIMITS } from '@signalbox/protocol';
import type { ChangedFile } from '@signalbox/protocol/hub';
import type { Repository } from './repository.ts';

/** A file as the index and HEAD see it. */
export interface StatusFile extends Pick<ChangedFile, 'path' | 'staged' | 'isSubmodule'> {
  oldPath?: string;
  state: 'tracked' | 'untracked' | 'conflicted';
}

/** What `git status` says. */
export interface Status {
  branch: string | null;
  head: string | null;
  upstream: string | null;
  ahead: number;
  behind: number;
  files: StatusFile[];
  isCut: boolean;
}

/** What differs between HEAD, the index and the files. Files inside of submodules are not looked at. */
export async function readStatus({ git }: Repository): Promise<Status> {
  const { stdout, isCut } = await git.run(
    [
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '--find-renames',
    ],
    { maxBytes: LIMITS.changeListBytes.most },
  );
  return parseStatus(stdout.toString(), isCut);
}

function parseStatus(text: string, isCut: boolean): Status {
  const status: Status = {
    branch: null,
    head: null,
    upstream: null,
    ahead: 0,
    behind: 0,
    files: [],
    isCut,
  };
  // The last piece is empty, or was cut.
  const pieces = text.split('\0').slice(0, -1);
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] ?? '';
    if (piece.startsWith('# ')) {
      readHeader(status, piece.slice(2));
      continue;
    }
    const isRename = piece.startsWith('2 ');
    if (isRename) at += 1;
    const file = readFile(piece, isRename ? pieces[at] : undefined);
    if (!file) continue;
    if (status.files.length === LIMITS.changedFiles.most) {
      status.isCut = true;
      break;
    }
    status.files.push(file);
  }
  return status;
}

function readHeader(status: Status, header: string): void {
  const [name, ...words] = header.split(' ');
  const value = words.join(' ');
  if (name === 'branch.oid') status.head = value === '(initial)' ? null : value;
  if (name === 'branch.head') status.branch = value === '(detached)' ? null : value;
  if (name === 'branch.upstream') status.upstream = value;
  if (name !== 'branch.ab') return;
  status.ahead = Math.abs(Number(words[0]));
  status.behind = Math.abs(Number(words[1]));
}

/** How many fields come before the path, by the kind of line. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

function readFile(line: string, oldPath: string | undefined): StatusFile | undefined {
  const [kind = '', letters = '', submodule = ''] = line.split(' ', 3);
  const fields = FIELDS[kind];
  if (fields === undefined) return undefined;
  const path = line.split(' ').slice(fields).join(' ');
  if (kind === '?') return { path, staged: 'none', state: 'untracked', isSubmodule: false };
  const [inIndex, inFiles] = letters;
  const staged = inIndex === '.' ? 'none' : inFiles === '.' ? 'all' : 'part';
  const isSubmodule = submodule.startsWith('S');
  if (kind === 'u') return { path, staged: 'none', state: 'conflicted', isSubmodule };
  return { path, staged, state: 'tracked', isSubmodule, ...(oldPath === undefined ? {} : { oldPath }) };
}
