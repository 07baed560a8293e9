import { ControlPeer, type JsonObject, WireLine } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutateLine } from '../line/mutate-line.ts';
import { recordedLines } from '../line/recorded-lines.ts';
import { createChannelPair } from './channel-pair.ts';
import { FarSide, quiet } from './far-side.ts';

const LINES = 12_000;
const LINES_PER_TURN = 100;

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

/** Three lines of control for every other line. */
function weighted(lines: readonly string[]): string[] {
  const control = lines.filter((line) => line.startsWith('{"type":"control_'));
  return [...control, ...control, ...control, ...lines];
}

/** Recorded ids repeat; a request of its own id has to get an answer of its own. */
function withFreshId(line: string, id: string): string {
  return line.startsWith('{"type":"control_request"')
    ? line.replace(/"request_id":"[^"]*"/, `"request_id":"${id}"`)
    : line;
}

/** The id of a line that still is a message of this type: none or one. */
function requestIdIn(line: WireLine, type: string): string[] {
  try {
    const value = line.head().type === type ? line.json() : undefined;
    if (typeof value !== 'object' || value === null || !('request_id' in value)) return [];
    return typeof value.request_id === 'string' ? [value.request_id] : [];
  } catch {
    return [];
  }
}

function answeredId({ response }: JsonObject): unknown {
  return typeof response === 'object' && response !== null && 'request_id' in response && response.request_id;
}

describe('broken lines', () => {
  beforeAll(() => {
    process.on('unhandledRejection', note);
  });

  afterAll(() => {
    process.off('unhandledRejection', note);
  });

  it('[CP30] reach a peer, 12,000 of them: it answers each request among them, and the good one after them', async () => {
    const random = new SeededRandom(30);
    const lines = weighted(recordedLines);
    const [near, other] = createChannelPair();
    const far = new FarSide(other);
    let invalid = 0;
    let late = 0;
    const ids = recordedLines.flatMap(
      (line) => /"control_response".*"request_id":"([^"]+)"/.exec(line)?.[1] ?? [],
    );
    const expectedIds = [...new Set(ids)];
    const peer = new ControlPeer(near, {
      createRequestId: () => expectedIds.pop() ?? crypto.randomUUID(),
      onInvalidLine: () => void (invalid += 1),
      onLateResponse: () => void (late += 1),
    });
    peer.handle('can_use_tool', (request) => request);
    peer.handle('initialize', async () => {
      throw new Error('Already initialized');
    });
    peer.handle('hook_callback', async (request) => {
      await quiet();
      return { echo: request };
    });
    let settled = 0;
    for (let times = expectedIds.length; times > 0; times -= 1) {
      const count = (): void => void (settled += 1);
      peer.request({ subtype: 'ask' }).then(count, count);
    }
    void peer.run();

    const asked: string[] = [];
    const cancelled: string[] = [];
    for (let sent = 1; sent <= LINES; sent += 1) {
      const line = mutateLine(withFreshId(random.pick(lines), `q${sent}`), random);
      asked.push(...requestIdIn(WireLine.of(line), 'control_request'));
      cancelled.push(...requestIdIn(WireLine.of(line), 'control_cancel_request'));
      await other.send(line);
      if (sent % LINES_PER_TURN === 0) await quiet();
    }
    await far.ask('good', { subtype: 'can_use_tool', tool_name: 'Bash' });
    await quiet();

    const answered = new Set(far.heard.map(answeredId));
    expect(asked.length).toBeGreaterThan(500);
    expect(asked.filter((id) => !cancelled.includes(id) && !answered.has(id))).toEqual([]);
    expect(Math.min(invalid, late, settled)).toBeGreaterThan(50);
    expect(far.heard).toContainEqual({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'good',
        response: { subtype: 'can_use_tool', tool_name: 'Bash' },
      },
    });
    expect(peer.unansweredRequests()).toEqual([]);
    expect(unhandled).toEqual([]);
  });
});
