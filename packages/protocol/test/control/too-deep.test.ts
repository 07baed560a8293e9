import { JsonTooDeepError } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { quiet, startPeer } from './far-side.ts';

const DEEP = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);

describe('control lines that are too deep', () => {
  it('[CP300] a request that is too deep to be read gets an error answer, and its handler never runs', async () => {
    const { peer, far } = startPeer();
    let calls = 0;
    peer.handle('can_use_tool', () => {
      calls += 1;
    });
    await far.say(
      `{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","input":${DEEP}}}`,
    );
    expect(far.heard).toMatchObject([
      {
        type: 'control_response',
        response: { subtype: 'error', request_id: 'q1', error_code: 'json_too_deep' },
      },
    ]);
    await far.ask('q2', { subtype: 'can_use_tool' });
    expect(far.heard[1]).toMatchObject({ response: { subtype: 'success', request_id: 'q2' } });
    expect(calls).toBe(1);
  });

  it('[CP301] a request whose answer is too deep rejects with JSON_TOO_DEEP and what could be read', async () => {
    const { peer, far } = startPeer();
    const request = peer.request({ subtype: 'initialize' });
    const outcome = request.catch((error: unknown) => error);
    await quiet();
    const id = String(far.heard[0]?.request_id);
    await far.say(
      `{"type":"control_response","response":{"subtype":"success","request_id":"${id}","response":{"b":2,"a":${DEEP}}}}`,
    );
    const error = await outcome;
    expect(error).toBeInstanceOf(JsonTooDeepError);
    expect(error).toMatchObject({ code: 'JSON_TOO_DEEP', shallow: { response: { response: { b: 2 } } } });
  });

  it('[CP300] what is too deep and asks nothing goes to onInvalidLine', async () => {
    const reasons: string[] = [];
    const { far } = startPeer({ onInvalidLine: (_, reason) => reasons.push(reason) });
    await far.say(`{"type":"control_request","request":${DEEP}}`);
    await far.say(`{"type":"control_response","response":{"request_id":"nobody","response":${DEEP}}}`);
    await far.say(`{"type":"control_request","request_id":"q","request":${DEEP}`);
    expect(reasons).toHaveLength(3);
    expect(far.heard).toEqual([]);
  });
});
