import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diffFile, listChanges } from '../packages/hub/src/changes/changes.ts';
import { Repository } from '../packages/hub/src/changes/repository.ts';
import { SessionSnapshots } from '../packages/hub/src/changes/session-snapshots.ts';
import { type Benchmark, interleave, type Row } from './measure.ts';

const FOLDERS = 500;
const FILES_EACH = 100;
const ROUNDS = 9;
const MOST = 1.5;

/** A turn has two of them, and nobody waits for either. */
const MOST_SNAPSHOT = 2;

/** A repository of 50,000 files, one of them changed. */
function makeRepository(folder: string): void {
  const git = (...words: string[]): void => void execFileSync('git', words, { cwd: folder });
  git('init', '-q');
  // What git does in the background would be measured too, and outlive the folder.
  git('config', 'gc.auto', '0');
  for (let at = 0; at < FOLDERS; at += 1) {
    mkdirSync(join(folder, `part-${at}`, 'src'), { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1)
      writeFileSync(
        join(folder, `part-${at}`, 'src', `file-${file}.ts`),
        `export const n${file} = ${at};\n`.repeat(20),
      );
  }
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'all');
  appendFileSync(join(folder, CHANGED), 'export const more = 1;\n');
}

const CHANGED = 'part-7/src/file-3.ts';

async function clocked(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What whoever looks waits for, beside the one look of git that it cannot do without. */
export const folderChanges: Benchmark = {
  name: 'folder-changes',
  title: 'Changes of a large repository',
  async run(): Promise<Row[]> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    try {
      makeRepository(folder);
      const kept = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
      const snapshots = new SessionSnapshots(kept);
      const {
        status = Number.NaN,
        changes = Number.NaN,
        snapshot = Number.NaN,
      } = await interleave(ROUNDS, {
        status: () => clocked(() => execFileSync('git', ['status'], { cwd: folder })),
        changes: () =>
          clocked(async () => {
            const named = { base: 'head' } as const;
            await listChanges(await Repository.open(folder), named);
            await diffFile(await Repository.open(folder), { ...named, path: CHANGED, context: 3 });
          }),
        snapshot: () => clocked(() => snapshots.beginTurn(folder, async () => false)),
      });
      rmSync(kept, { recursive: true, force: true });
      const ratio = changes / status;
      const ofSnapshot = snapshot / status;
      return [
        {
          what: 'noting the files before or after a turn in 50,000 files, beside `git status`',
          baseline: `${status.toFixed(0)} ms`,
          ours: `${snapshot.toFixed(0)} ms`,
          ratio: `${ofSnapshot.toFixed(2)} ×`,
          target: `≤ ${MOST_SNAPSHOT} ×`,
          met: ofSnapshot <= MOST_SNAPSHOT,
        },
        {
          what: 'list and diff after one edit in 50,000 files, beside `git status`',
          baseline: `${status.toFixed(0)} ms`,
          ours: `${changes.toFixed(0)} ms`,
          ratio: `${ratio.toFixed(2)} ×`,
          target: `≤ ${MOST} ×`,
          met: ratio <= MOST,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
