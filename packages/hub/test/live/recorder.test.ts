import { WireLine } from '@signalbox/protocol';
import { until } from '@signalbox/testing/hub/test-parts';
import type { LinkPosition } from '@signalbox/transport';
import { describe, expect, it } from 'vitest';
import { Holds } from '../../src/base/holds.ts';
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
});
