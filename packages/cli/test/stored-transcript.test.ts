import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectKey } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedMessages, storedTranscript } from '../src/up/stored-transcript.ts';

describe('stored transcripts', () => {
  it('[VW2080] a transcript comes in slices, after a message or from a time on, without what was left', async () => {
    const { id, place, uuids, write } = transcript();
    write([
      ...uuids.map((uuid, at) => entry(uuid, uuids[at - 1] ?? null, 'x'.repeat(20_000), at)),
      // Somebody went back from here.
      entry(randomUUID(), uuids[3] ?? null, 'left', 4),
      'no JSON',
      entry('last', uuids.at(-1) ?? null, 'the end', 300),
    ]);
    expect(await storedTranscript(id, place)).toEqual({ last: 'last', isTurnOver: true });
    const slices: number[] = [];
    const told: string[] = [];
    await storedMessages(id, place, { after: uuids[9] ?? null, time: 0 }, async (messages) => {
      slices.push(messages.length);
      told.push(...messages.map(({ uuid }) => uuid));
      expect(JSON.parse(Buffer.from(messages[0]?.line ?? []).toString())).toMatchObject({
        type: 'assistant',
        session_id: id,
        parent_tool_use_id: null,
      });
    });
    expect(told).toEqual([...uuids.slice(10), 'last']);
    expect(slices.length).toBeGreaterThan(2);
    const since: string[] = [];
    await storedMessages(id, place, { after: 'gone', time: Date.parse(timeOf(198)) }, async (messages) => {
      since.push(...messages.map(({ uuid }) => uuid));
    });
    expect(since).toEqual([...uuids.slice(198), 'last']);
  });

  it('[VW2080] what would take the memory of the hub is left out or refused, and the hub goes on', async () => {
    const { id, place, uuids, write } = transcript();
    const [first = ''] = uuids;
    const last = entry(first, null, 'one', 0);
    // Values take many times their text once they are read: the line is left out.
    const values = entry('values', first, 'two', 1).replace(
      '"uuid"',
      `"a":[${'[],'.repeat(1_000_000)}0],"uuid"`,
    );
    write([last, values]);
    expect(await storedTranscript(id, place)).toEqual({ last: first, isTurnOver: true });
    const short = '{"type":"x","uuid":"x","parentUuid":null}';
    write([last, Array.from({ length: 650_000 }, () => short).join('\n')]);
    await expect(storedTranscript(id, place)).rejects.toMatchObject({ code: 'TRANSCRIPT_TOO_LONG' });
    write([last]);
    expect(await storedTranscript(id, place)).toEqual({ last: first, isTurnOver: true });
  });

  it('[VW2080] who takes the messages may fail, and the next reading is not held up', async () => {
    const { id, place, uuids, write } = transcript();
    const [first = ''] = uuids;
    write([entry(first, null, 'one', 0)]);
    const failing = storedMessages(id, place, { after: null, time: 0 }, async () => {
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await storedTranscript(id, place)).toEqual({ last: first, isTurnOver: true });
  });
});

function transcript() {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-transcript-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const id = randomUUID();
  const folder = join(home, '.claude', 'projects', projectKey(realPath(home)));
  mkdirSync(folder, { recursive: true });
  return {
    id,
    place: { folder: home, env: { HOME: home, CLAUDE_CONFIG_DIR: '' } },
    uuids: Array.from({ length: 200 }, () => randomUUID()),
    write: (lines: readonly string[]) =>
      writeFileSync(join(folder, `${id}.jsonl`), lines.map((line) => `${line}\n`).join('')),
  };
}

function entry(uuid: string, parentUuid: string | null, text: string, at: number): string {
  const message = { role: 'assistant', id: uuid, content: [{ type: 'text', text }] };
  return JSON.stringify({ type: 'assistant', uuid, parentUuid, message, timestamp: timeOf(at) });
}

function timeOf(at: number): string {
  return new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
}
