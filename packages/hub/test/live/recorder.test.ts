import { WireLine } from '@signalbox/protocol';
import { until } from '@signalbox/testing/hub/test-parts';
import type { LinkPosition } from '@signalbox/transport';
import { describe, expect, it } from 'vitest';
import { Holds } from '../../src/base/holds.ts';
import { AskBudget } from '../../src/sessions/asks/ask-budget.ts';
import { Asks } from '../../src/sessions/asks/asks.ts';
import { Recorder } from '../../src/sessions/recorder.ts';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';

describe('Recorder', () => {
  it('[HB49] acknowledges what is durable, deltas with the next line or a moment later, none of an open reply, and never goes back', async () => {
    const store = await openMemoryStore();
    await store.sessions.create('s');
    const shown: string[] = [];
    const safe: LinkPosition[] = [];
    let isReplyOpen = false;
    const recorder = new Recorder(store, 's', new Holds('s', () => {}), {
      onRecorded: (entries) => shown.push(...entries.map(({ seq, line }) => `${seq} ${line.text()}`)),
      onPreview: (line) => shown.push(`preview ${line.text()}`),
      isReplyOpen: () => isReplyOpen,
      onSafe: (position) => safe.push(position),
      onTrouble: (error) => {
        throw error;
      },
    });
    await recorder.preview(WireLine.of('delta'), { epoch: 'e', count: 1 });
    await until(() => shown.length === 1);
    expect(safe).toEqual([]);
    // The position of the delta is to be kept in the same moment in which a line goes past it.
    const heard = recorder.heard(WireLine.of('line'), { epoch: 'e', count: 2 });
    await recorder.settled();
    await heard;
    expect(shown).toEqual(['preview delta', '1 line']);
    expect(safe.at(-1)).toEqual({ epoch: 'e', count: 2 });
    expect(await store.record.position('s')).toEqual({ epoch: 'e', count: 2 });
    await recorder.heard(WireLine.of('line'), { epoch: 'e', count: 2 });
    await recorder.preview(WireLine.of('last'), { epoch: 'e', count: 3 });
    await until(() => safe.at(-1)?.count === 3);
    expect(shown).toEqual(['preview delta', '1 line', 'preview last']);
    isReplyOpen = true;
    await recorder.preview(WireLine.of('of a reply'), { epoch: 'e', count: 4 });
    await until(() => shown.length === 4);
    await recorder.settled();
    expect(await store.record.position('s')).toEqual({ epoch: 'e', count: 3 });
    // A line that goes into the record together with the beginning of the reply after it.
    void recorder.heard(WireLine.of('line'), { epoch: 'e', count: 5 });
    void recorder.preview(WireLine.of('of the next reply'), { epoch: 'e', count: 6 });
    await recorder.settled();
    expect(shown.slice(4)).toEqual(['2 line', 'preview of the next reply']);
    expect(safe.at(-1)).toEqual({ epoch: 'e', count: 5 });
    expect(await store.record.position('s')).toEqual({ epoch: 'e', count: 5 });
    await store.close();
  });

  it('[HB2503] stores few questions and few withdrawals in one commit, however many come together: others have their turn in between', async () => {
    const store = await openMemoryStore();
    await store.sessions.create('s');
    const effects: string[][] = [];
    const commit = store.commit.bind(store);
    store.commit = (change) => {
      effects.push((change.effects ?? []).map(({ kind }) => kind));
      return commit(change);
    };
    const onTrouble = (error: unknown): void => {
      throw error;
    };
    const shown: number[] = [];
    const recorder = new Recorder(store, 's', new Holds('s', () => {}), {
      onRecorded: (entries) => shown.push(...entries.map(({ seq }) => seq)),
      onPreview: () => {},
      isReplyOpen: () => false,
      onSafe: () => {},
      onTrouble,
    });
    const work: Promise<unknown>[] = [];
    const closed: string[] = [];
    const asks = new Asks(store, 's', new AskBudget(), {
      record: () => Promise.resolve(),
      deliver: () => Promise.resolve(true),
      onChange: ({ requestId, state }) => state === 'withdrawn' && closed.push(requestId),
      onRefused: onTrouble,
      watch: (one) => work.push(one),
      folder: () => null,
      notice: () => undefined,
      decide: () => undefined,
    });
    const ids = Array.from({ length: 200 }, (_, n) => `r${n}`);
    const asking = (requestId: string) =>
      asks.asking({ kind: 'ask', requestId, request: { tool_name: 'Bash' } });
    for (const id of ids) void recorder.heard(WireLine.of(`"${id}"`), undefined, () => asking(id));
    await recorder.settled();
    expect(shown).toEqual(ids.map((_, n) => n + 1));
    const closing = ids.map((id) => asks.close(id, 'withdrawn'));
    // One that is asked again meanwhile is the one that is over.
    expect(asking('r199')).toBeUndefined();
    await Promise.all(closing);
    expect(closed).toEqual(ids);
    expect((await store.permissions.listOpen({})).items).toEqual([]);
    const [opens, closes] = ['open-permission', 'close-permission'].map((kind) =>
      effects.flatMap((kinds) => kinds.filter((one) => one === kind).length || []),
    );
    expect([opens?.length, Math.max(...(opens ?? []))]).toEqual([13, 16]);
    expect([closes?.length, Math.max(...(closes ?? []))]).toEqual([8, 32]);
    await store.close();
  });
});
