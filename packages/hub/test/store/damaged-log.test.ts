import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../src/store/sqlite/database.ts';
import { Engine } from '../../src/store/sqlite/engine.ts';
import type { DamagedLog } from '../../src/store/sqlite/log/damaged-log.ts';
import { examineLog } from '../../src/store/sqlite/log/examine-log.ts';
import { readLogMark } from '../../src/store/sqlite/log/log-mark.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { verifyStore } from '../../src/store/verify-store.ts';
import { append, linkedAppend, sampleTexts, wholeRecord } from './sample-record.ts';
import { storeOnThisThread } from './store-on-this-thread.ts';

const ENTRIES = 1200;
const LARGEST_COMMIT = 31;
const SEED = 4100;
const FRAME_BYTES = 24 + 8192;
const SESSION = 'a';

let folder: string;
/** A database as a killed process leaves it: all that it committed is in the log. */
let killed: string;
/** How many entries it has. */
let safe = 0;
/** How many bytes of the log are written. */
let logEnd: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-damaged-log-'));
  killed = join(folder, 'killed.db');
  const file = join(folder, 'open.db');
  const { store } = storeOnThisThread(file);
  await copyFile(file, killed);
  await store.sessions.create(SESSION);
  for (let size = 1; safe < ENTRIES; size = (size * 7) % LARGEST_COMMIT) {
    await append(store, [linkedAppend(SESSION, 'link', safe + 1, safe + size)]);
    safe += size;
  }
  for (const suffix of ['-wal', '-mark']) await copyFile(`${file}${suffix}`, `${killed}${suffix}`);
  logEnd = 32 + (readLogMark(killed)?.frames ?? 0) * FRAME_BYTES;
  await store.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function copyOfKilled(name: string): Promise<string> {
  const file = join(folder, `${name}.db`);
  for (const suffix of ['', '-wal', '-mark']) await copyFile(`${killed}${suffix}`, `${file}${suffix}`);
  return file;
}

function flipBit(bytes: Buffer, bit: number): void {
  const at = bit >> 3;
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at);
}

interface Reopened {
  texts: (string | undefined)[];
  damage: DamagedLog | undefined;
  entries: number;
  damagedEntries: number;
}

async function reopen(file: string): Promise<Reopened> {
  let damage: DamagedLog | undefined;
  const store = await openSqliteStore(file, { onDamagedLog: (found) => (damage = found) });
  try {
    const { damaged, entries } = await verifyStore(store);
    const isThere = (await store.sessions.get(SESSION)) !== undefined;
    const texts = isThere && damaged.length === 0 ? await wholeRecord(store, SESSION) : [];
    return { texts, damage, entries, damagedEntries: damaged.length };
  } finally {
    await store.close();
  }
}

function bitsToFlip(): [string, number][] {
  const random = new SeededRandom(SEED);
  const frames = (logEnd - 32) / FRAME_BYTES;
  const inFrame = (frame: number, byte: number): number => (32 + frame * FRAME_BYTES + byte) * 8;
  const somewhere = Array.from({ length: 100 }, (): [string, number] => {
    const bit = random.below(logEnd * 8);
    return [`bit ${bit}`, bit];
  });
  return [
    ['the magic number', 7 * 4 + 3],
    ['the salts of the header', 16 * 8 + 5],
    ['the checksum of the header', 27 * 8],
    ['a page number', inFrame(3, 2)],
    ['the mark of a commit', inFrame(frames - 1, 5)],
    ['the salts of a frame', inFrame(5, 9)],
    ['the checksum of a frame', inFrame(7, 17)],
    ['the first frame', inFrame(0, 400)],
    ['the last frame', inFrame(frames - 1, 5000)],
    ...somewhere,
  ];
}

describe('a damaged log', () => {
  it(`[LOG360] is found wherever one bit is wrong, and mostly put right to the bit (seed ${SEED})`, async () => {
    const mark = readLogMark(killed);
    const written = (await readFile(`${killed}-wal`)).subarray(0, logEnd);
    expect(examineLog(Buffer.from(written), mark, PAGE_BYTES)).toEqual({ state: 'whole' });
    const bits = bitsToFlip();
    let restored = 0;
    for (const [place, bit] of bits) {
      const log = Buffer.from(written);
      flipBit(log, bit);
      const found = examineLog(log, mark, PAGE_BYTES);
      if (found.state !== 'damaged') throw new Error(`${place} was not found`);
      if (found.damagedFrames === 0) restored += 1;
      // High bits of a word that others may stand for are left as they are, and nothing else is changed.
      expect(found.damagedFrames, place).toBeLessThanOrEqual(1);
      expect(written.equals(found.bytes ?? Buffer.of()), place).toBe(found.damagedFrames === 0);
    }
    expect(restored).toBeGreaterThan(bits.length / 2);
  });

  it('[LOG360] loses nothing that was committed, is told of, and is kept aside', async () => {
    const file = await copyOfKilled('flipped');
    const log = await readFile(`${file}-wal`);
    flipBit(log, (32 + 3 * FRAME_BYTES + 600) * 8);
    await writeFile(`${file}-wal`, log);
    const { texts, damage } = await reopen(file);
    expect(damage).toMatchObject({ outcome: 'restored' });
    expect(texts.length).toBe(safe);
    expect(texts).toEqual(sampleTexts(1, texts.length));
    expect((await readFile(damage?.kept ?? '')).equals(log)).toBe(true);
    // Once it is mended, nothing is wrong any more.
    expect((await reopen(file)).damage).toBeUndefined();
  });

  it('[LOG361] a log of an earlier version, without a mark, is mended where later commits prove the damage', async () => {
    const file = await copyOfKilled('unmarked');
    await rm(`${file}-mark`);
    const log = await readFile(`${file}-wal`);
    flipBit(log, (32 + 5 * FRAME_BYTES + 100) * 8);
    await writeFile(`${file}-wal`, log);
    const { texts, damage } = await reopen(file);
    expect(damage).toMatchObject({ outcome: 'restored' });
    expect(texts.length).toBe(safe);
  });

  it('[LOG362] costs no more than a sector held that is gone', async () => {
    const frames = (logEnd - 32) / FRAME_BYTES;
    const damagedAt = async (frame: number): Promise<Reopened> => {
      const file = await copyOfKilled(`sector-${frame}`);
      const log = await readFile(`${file}-wal`);
      log.fill(0x5a, 32 + frame * FRAME_BYTES + 7000, 32 + frame * FRAME_BYTES + 7512);
      await writeFile(`${file}-wal`, log);
      return reopen(file);
    };
    const log = await readFile(`${killed}-wal`);
    const pages = Array.from({ length: frames }, (_, frame) => log.readUInt32BE(32 + frame * FRAME_BYTES));
    // Of a page that a later frame has again.
    const early = await damagedAt(pages.findIndex((page, frame) => pages.includes(page, frame + 1)));
    expect(early.damage).toMatchObject({ outcome: 'patched' });
    expect(early.texts.length).toBe(safe);
    const last = await damagedAt(frames - 1);
    expect(last.damage?.commits).toBe(1);
    expect(last.entries).toBeGreaterThanOrEqual(safe - LARGEST_COMMIT);
    expect(existsSync(last.damage?.kept ?? '')).toBe(true);
  });

  it('[LOG362] where nothing sound can be made of it, what came before the damage is there', async () => {
    const file = await copyOfKilled('beyond-repair');
    const log = await readFile(`${file}-wal`);
    const half = 32 + Math.floor((logEnd - 32) / FRAME_BYTES / 2) * FRAME_BYTES;
    log.fill(0x5a, half, logEnd);
    await writeFile(`${file}-wal`, log);
    const { damage, entries, texts } = await reopen(file);
    expect(damage?.outcome).toBe('cut');
    expect(entries).toBeGreaterThan(0);
    expect(entries).toBeLessThan(safe);
    expect(texts).toEqual(sampleTexts(1, entries));
  });

  it('[LOG363] a log that is gone is told of, and a commit that was under way is not taken for damage', async () => {
    const gone = await copyOfKilled('gone');
    await truncate(`${gone}-wal`, 0);
    expect((await reopen(gone)).damage).toMatchObject({ outcome: 'gone' });
    const torn = await copyOfKilled('torn');
    const log = await readFile(`${torn}-wal`);
    const random = new SeededRandom(SEED);
    // What a machine that stopped in the middle of a commit leaves: some of its frames, and garbage.
    log.copy(log, logEnd, logEnd - FRAME_BYTES, logEnd);
    for (let at = logEnd + 500; at < logEnd + 1500; at += 1) log[at] = random.below(256);
    await writeFile(`${torn}-wal`, log);
    const { damage, texts } = await reopen(torn);
    expect(damage).toBeUndefined();
    expect(texts.length).toBe(safe);
  });

  it('[LOG364] a killed mending is taken up again', async () => {
    const file = await copyOfKilled('twice');
    const log = await readFile(`${file}-wal`);
    flipBit(log, (32 + 9 * FRAME_BYTES + 77) * 8);
    await writeFile(`${file}-wal`, log);
    expect(() => new Engine(file)).toThrow(/log/i);
    expect(existsSync(`${file}-wal.mended`)).toBe(true);
    const elsewhere = join(folder, 'elsewhere.db');
    for (const suffix of ['', '-wal.mended', '-damage.json'])
      await copyFile(`${file}${suffix}`, `${elsewhere}${suffix}`);
    const { texts, damage } = await reopen(elsewhere);
    expect(damage).toMatchObject({ outcome: 'restored' });
    expect(texts.length).toBe(safe);
  });
});
