import { ControlPeer, type WireLine } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { createChannelPair } from './channel-pair.ts';
import { quiet, rejection, startPeer, success } from './far-side.ts';

const USER = { type: 'user', message: { role: 'user', content: 'hi' } };

describe('ControlPeer', () => {
  it.each([
    ['a request that is not JSON', '{"type":"control_request","request_id":"a"'],
    ['a request with more behind it', '{"type":"control_request","request_id":"a"} x'],
    ['a request without id', '{"type":"control_request","request":{"subtype":"ask"}}'],
    ['a request with an odd id', '{"type":"control_request","request_id":7,"request":{"subtype":"ask"}}'],
    ['a response that is not JSON', '{"type":"control_response",}'],
    ['a response without response', '{"type":"control_response"}'],
    ['a response of null', '{"type":"control_response","response":null}'],
    ['a response without id', '{"type":"control_response","response":{"subtype":"success"}}'],
    ['a response with its id outside', '{"type":"control_response","request_id":"r1","permission":{}}'],
    ['a cancel that is not JSON', '{"type":"control_cancel_request","request_id":"a}'],
    ['a cancel without id', '{"type":"control_cancel_request"}'],
  ])('[CP23] reports %s, and goes on', async (_, text) => {
    const invalid: [WireLine, string][] = [];
    const { peer, far } = startPeer({ onInvalidLine: (line, reason) => invalid.push([line, reason]) });
    peer.handle('ask', () => {});
    const pending = peer.request({ subtype: 'ask' });
    await far.say(text);
    expect(invalid.map(([line, reason]) => [line.text(), reason])).toEqual([[text, expect.any(String)]]);
    await far.ask('good', { subtype: 'ask' });
    expect(far.heard.at(-1)).toEqual(success('good'));
    await far.answer('r1', { still: 'pending' });
    expect(await pending).toEqual({ still: 'pending' });
  });

  it('[CP23] does without anyone to report to', async () => {
    const { peer, far } = startPeer();
    peer.handle('ask', () => {});
    await far.say('{"type":"control_request"');
    await far.answer('never asked');
    await far.say('not JSON at all');
    await far.ask('good', { subtype: 'ask' });
    expect(far.heard).toEqual([success('good')]);
  });

  it('[CP24] swallows keep_alive', async () => {
    const seen: string[] = [];
    const note = (line: WireLine): void => void seen.push(line.text());
    const { far } = startPeer({ onMessage: note, onInvalidLine: note });
    await far.say({ type: 'keep_alive' });
    await far.say('{"later":1,"type":"keep_alive"}');
    expect(seen).toEqual([]);
    expect(far.heard).toEqual([]);
  });

  it('[CP25] hands over every other line as it came, known or not', async () => {
    const seen: string[] = [];
    const { far } = startPeer({ onMessage: (line) => void seen.push(line.text()) });
    const lines = [
      JSON.stringify(USER),
      '{"b":1, "type":"never_seen"}',
      '{}',
      '[1]',
      'not JSON',
      '{"type":7}',
    ];
    for (const line of lines) await far.say(line);
    expect(seen).toEqual(lines);
  });

  it('[CP25] waits for each message before it reads on', async () => {
    const seen: string[] = [];
    const finish: (() => void)[] = [];
    const { peer, far } = startPeer({
      onMessage: (line) => {
        seen.push(line.text());
        return new Promise((resolve) => finish.push(resolve));
      },
    });
    peer.handle('ask', () => {});
    await far.say('1');
    await far.say('2');
    await far.ask('a', { subtype: 'ask' });
    expect(seen).toEqual(['1']);
    finish[0]?.();
    await quiet();
    expect(seen).toEqual(['1', '2']);
    expect(far.heard).toEqual([]);
    finish[1]?.();
    await quiet();
    expect(far.heard).toEqual([success('a')]);
  });

  it('[CP25] sends other messages as lines', async () => {
    const { peer, far } = startPeer();
    await peer.send(USER);
    await quiet();
    expect(far.heard).toEqual([USER]);
  });

  it('[CP26] ends when the channel ends, after everything that arrived', async () => {
    const seen: string[] = [];
    const { far, ended } = startPeer({ onMessage: (line) => void seen.push(line.text()) });
    await far.say('1');
    await far.end();
    await ended;
    expect(seen).toEqual(['1']);
  });

  it('[CP26] rejects with the error of a channel that fails', async () => {
    const { far, ended } = startPeer();
    const broken = new Error('broken');
    const outcome = rejection(ended);
    await far.fail(broken);
    expect(await outcome).toBe(broken);
  });

  it('[CP26] rejects with the error of a channel that cannot be read at all', async () => {
    const broken = new Error('broken');
    const [near] = createChannelPair();
    near.receive = () => {
      throw broken;
    };
    expect(await rejection(new ControlPeer(near).run())).toBe(broken);
  });

  it.each([
    ['onMessage, at once', { type: 'user' }],
    ['onMessage, later', { type: 'assistant' }],
    ['onLateResponse', success('never asked')],
    ['onInvalidLine', { type: 'control_request' }],
  ])('[CP27] ends with what %s throws, like with a failure of the channel', async (_, message) => {
    const bug = new Error('a bug');
    const fail = (): never => {
      throw bug;
    };
    const { peer, far, ended } = startPeer({
      onMessage: (line) => (line.head().type === 'user' ? fail() : Promise.reject(bug)),
      onLateResponse: fail,
      onInvalidLine: fail,
    });
    const outcome = rejection(ended);
    const pending = rejection(peer.request({ subtype: 'ask' }));
    await far.say(message);
    expect(await outcome).toBe(bug);
    expect(await pending).toMatchObject({ code: 'CONTROL_CLOSED', cause: bug });
  });

  it('[CP28] runs once', async () => {
    const { peer } = startPeer();
    expect(await rejection(peer.run())).toMatchObject({ code: 'CONTROL_CLOSED' });
    peer.close();
    expect(await rejection(peer.run())).toMatchObject({ code: 'CONTROL_CLOSED' });
  });

  it('[CP28] closes once, keeps its first reason, and reads nothing more', async () => {
    const seen: string[] = [];
    const { peer, far, ended } = startPeer({ onMessage: (line) => void seen.push(line.text()) });
    const pending = rejection(peer.request({ subtype: 'ask' }));
    peer.close('first');
    peer.close('second');
    expect(await pending).toMatchObject({ code: 'CONTROL_CLOSED', cause: 'first' });
    expect(await rejection(peer.request({ subtype: 'ask' }))).toMatchObject({ cause: 'first' });
    await far.say('after the close');
    await ended;
    expect(seen).toEqual([]);
  });
});
