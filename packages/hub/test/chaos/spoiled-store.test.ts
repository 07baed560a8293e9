import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import type { View } from './evidence.ts';
import { isQuiet } from './gathering.ts';
import { Stage } from './stage.ts';

const TURN = JSON.stringify({ lines: 20, asks: 0, paceMs: 1 });

type Seen = View['entries'][number];

/** A stage with an agent that has had its first turn, and somebody who has seen it. */
async function afterTurn(): Promise<Stage> {
  const stage = await Stage.set();
  await stage.addPlayer('a');
  await stage.addWatcher('v');
  await play(stage, 'first');
  return stage;
}

/** Let the agent have a turn, and the viewer see all of it. */
async function play(stage: Stage, clientId: string): Promise<void> {
  await stage.api.prompt('a', { clientId, content: TURN });
  await until(() => isQuiet(stage, 'a'));
  await caughtUp(stage);
}

function caughtUp(stage: Stage): Promise<boolean> {
  return until(async () => lastOf(seenBy(stage)) === (await stage.api.events('a', { limit: 1 })).last);
}

function seenBy(stage: Stage): Seen[] {
  return stage.viewsOf('a')[0]?.entries ?? [];
}

function lastOf(seen: readonly Seen[]): number {
  const last = seen.at(-1);
  return last && 'seq' in last ? last.seq : 0;
}

function copyStore(from: string, to: string): void {
  for (const name of readdirSync(to).filter((file) => file.startsWith('hub.db'))) rmSync(join(to, name));
  for (const name of readdirSync(from).filter((file) => file.startsWith('hub.db')))
    copyFileSync(join(from, name), join(to, name));
}

describe('a store that is not what it was', () => {
  it('[FT5] put back from an old copy: viewers are told to start over, the gap is in the record, and all goes on', async () => {
    const stage = await afterTurn();
    const old = temporaryFolder();
    await stage.killHub(async () => copyStore(stage.home, old));
    await until(async () => (await stage.api.session('a')).state === 'idle');
    await play(stage, 'second');
    const before = lastOf(seenBy(stage));
    await stage.killHub(async () => copyStore(old, stage.home));
    await until(async () => (await stage.api.session('a')).state === 'idle');
    await play(stage, 'third');
    const record = await stage.recordOf('a');
    const seen = seenBy(stage);
    const resets = seen.flatMap((entry, at) => ('reset' in entry ? [at] : []));
    expect(resets).toHaveLength(1);
    expect(lastOf(seen.slice(0, resets[0]))).toBe(before);
    expect(seen.slice((resets[0] ?? 0) + 1).map((entry) => 'seq' in entry && entry.text)).toEqual(
      record.map(({ raw }) => JSON.stringify(JSON.parse(raw))),
    );
    const gaps = record.filter(({ author }) => author.by === 'hub').map(({ raw }) => JSON.parse(raw));
    expect(gaps).toEqual([expect.objectContaining({ type: 'hub', subtype: 'gap' })]);
    const [run] = stage.runsOf('a');
    const kept = run?.said.filter((line) => !line.startsWith('{"type":"stream_event"')) ?? [];
    const recorded = record.filter(
      ({ author, raw }) => author.by === 'agent' && !raw.includes('"type":"bridge"'),
    );
    const place = new Set(recorded.map(({ raw }) => kept.indexOf(raw)));
    expect([...place]).toEqual([...place].toSorted((a, b) => a - b));
    expect(place.has(-1)).toBe(false);
    expect(place.size).toBe(recorded.length);
    expect(kept.slice(-22)).toEqual(recorded.slice(-22).map(({ raw }) => raw));
  });

  it('[FT6] with a flipped bit: the one entry is shown as damaged, and every other as it was', async () => {
    const stage = await afterTurn();
    const before = await stage.recordOf('a');
    const victim = before.find(({ raw }) => raw.includes('"type":"assistant"'));
    const uuid = JSON.parse(victim?.raw ?? '{}').uuid;
    const file = join(stage.home, 'hub.db');
    await stage.killHub(async () => {
      const content = readFileSync(file);
      // A page that is not in use any more may hold a copy.
      for (let at = content.indexOf(uuid); at !== -1; at = content.indexOf(uuid, at + 1)) {
        content[at + 2] = (content[at + 2] ?? 0) ^ 1;
      }
      writeFileSync(file, content);
    }, 'SIGTERM');
    await until(async () => (await stage.api.session('a')).state === 'idle');
    await stage.addWatcher('late');
    const last = (await stage.api.events('a', { limit: 1 })).last;
    const seen = await until(() => {
      const late = stage.viewsOf('a').at(-1)?.entries ?? [];
      return lastOf(late) >= last ? late : undefined;
    });
    const expected = before.map(({ seq, raw }) =>
      seq === victim?.seq ? null : JSON.stringify(JSON.parse(raw)),
    );
    expect(seen.slice(0, before.length).map((entry) => 'seq' in entry && entry.text)).toEqual(expected);
    const { entries } = await stage.api.events('a', { from: 1, limit: before.length });
    expect(entries.filter(({ damaged }) => damaged).map(({ seq }) => seq)).toEqual([victim?.seq]);
    await play(stage, 'second');
  });
});
