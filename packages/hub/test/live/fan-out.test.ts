import { constants, inflateRawSync } from 'node:zlib';
import { isJsonValue } from '@signalbox/protocol';
import { assistant, delta, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { Frame } from '../../src/sessions/frame.ts';
import { TestViewer, type Told } from './test-viewer.ts';

describe('live sessions', () => {
  it('[LV1] deflates for those who ask, in frames that mean the same as the plain ones', async () => {
    const { hub, token, agent } = await stage();
    const inflating = await TestViewer.connect(hub.url, token, { perMessageDeflate: true });
    const plain = await TestViewer.connect(hub.url, token);
    expect(inflating.socket.extensions).toContain('permessage-deflate');
    for (const viewer of [inflating, plain]) await viewer.ask({ type: 'subscribe', session: 's' });
    for (let n = 1; n <= 50; n += 1) await agent.say(assistant(`${n} ${'as it was written '.repeat(100)}`));
    const isLast = ({ message }: Told): boolean => message?.message?.content[0].text.startsWith('50 ');
    for (const viewer of [inflating, plain]) await viewer.find(isLast);
    const late = await TestViewer.connect(hub.url, token, { perMessageDeflate: true });
    await late.ask({ type: 'subscribe', session: 's' });
    await late.find(isLast);
    const entriesOf = ({ lines }: TestViewer): string[] =>
      lines.filter((line) => line.includes('"sdk-message"'));
    expect(entriesOf(inflating)).toEqual(entriesOf(plain));
    expect(entriesOf(late)).toEqual(expect.arrayContaining(entriesOf(plain)));
  });

  it('[LV2] makes a frame that inflates to its text, and leaves short ones as they are', () => {
    const text = 'a line of text\n'.repeat(10_000);
    const frame = new Frame([text.slice(0, 99), Buffer.from(text.slice(99))]);
    expect(frame.deflated[0]).toBe(0xc1);
    const start = frame.deflated[1] === 126 ? 4 : 10;
    const inflated = inflateRawSync(frame.deflated.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH });
    expect(inflated.toString()).toBe(text);
    expect(frame.plain.subarray(10).toString()).toBe(text);
    expect(frame.deflated).toBe(frame.deflated);
    const short = new Frame(['short']);
    expect(short.deflated).toBe(short.plain);
  });

  it('[LV3] tells JSON from what is none as JSON.parse does', () => {
    const seed = Date.now() % 2 ** 31;
    const random = randomFrom(seed);
    for (let round = 0; round < 50_000; round += 1) {
      const text = damaged(jsonText(random, 0), random);
      const isJson = isParsed(text);
      if (isJsonValue(Buffer.from(text)) !== isJson)
        expect.fail(`seed ${seed}: ${JSON.stringify(text)} is ${isJson ? '' : 'no '}JSON`);
    }
  });

  it('[LV4] shows who watches: in the snapshot, as it changes, and by REST', async () => {
    const { hub, store, token } = await stage();
    const ada = await TestViewer.connect(hub.url, token);
    await ada.ask({ type: 'subscribe', session: 's' });
    const viewerOf = async (by: string) => {
      const { id: deviceId, person, name: device } = (await call(hub.url, by, 'GET', '/api/me')).body;
      return { person, device, deviceId };
    };
    const one = await viewerOf(token);
    expect((await ada.find(({ type }) => type === 'snapshot')).viewers).toEqual([one]);
    const secondTab = await TestViewer.connect(hub.url, token);
    await secondTab.ask({ type: 'subscribe', session: 's' });
    // Another device that goes by the same name.
    const other = await tokenFor(store, { scope: 'watch' });
    const second = await TestViewer.connect(hub.url, other);
    await second.ask({ type: 'subscribe', session: 's' });
    const both = [one, await viewerOf(other)];
    expect(await ada.find(({ type }) => type === 'presence')).toEqual({
      type: 'presence',
      session: 's',
      joined: both.slice(1),
      left: [],
    });
    expect((await call(hub.url, token, 'GET', '/api/sessions/s/viewers')).body).toEqual({ items: both });
    second.socket.terminate();
    await ada.find(
      ({ type, left }) => type === 'presence' && left.length === 1 && left[0].deviceId === both[1]?.deviceId,
    );
    expect((await call(hub.url, token, 'GET', '/api/sessions/s/viewers')).body).toEqual({ items: [one] });
  });

  it('[LV5] goes on after a message that is named by its uuid, on the stream and by REST', async () => {
    const { hub, store, token, agent } = await stage();
    const messages = ['a', 'b', 'c'].map(assistant);
    for (const message of messages) await agent.say(message);
    await until(async () => (await store.record.tail('s')).last >= 4);
    const viewer = await TestViewer.connect(hub.url, token);
    const { uuid } = messages[0];
    await viewer.ask({ type: 'subscribe', session: 's', cursor: { uuid } });
    expect(viewer.entries.map(({ message }) => message.uuid)).toEqual(
      messages.slice(1).map((each) => each.uuid),
    );
    const { body } = await call(hub.url, token, 'GET', `/api/sessions/s/events?after_uuid=${uuid}&limit=1`);
    expect(body.entries.map(({ message }: Told) => message.uuid)).toEqual([messages[1].uuid]);
    const lost = await TestViewer.connect(hub.url, token);
    await lost.ask({ type: 'subscribe', session: 's', cursor: { uuid: 'nobody said this' } });
    expect(await lost.find(({ type }) => type === 'reset')).toMatchObject({ reason: 'uuid-unknown' });
    expect(lost.entries).toHaveLength(4);
    expect((await call(hub.url, token, 'GET', '/api/sessions/s/events?after_uuid=x')).status).toBe(404);
  });

  it('[LV7] names the cursor in the close of a viewer that is too slow', async () => {
    const { hub, store, token, agent } = await stage();
    const slow = await TestViewer.connect(hub.url, token);
    await slow.ask({ type: 'subscribe', session: 's' });
    slow.socket.pause();
    const long = 'x'.repeat(1024 * 1024);
    for (let n = 1; n <= 40; n += 1) await agent.say(assistant(`${n} ${long}`));
    await until(async () => (await store.record.tail('s', 1)).last > 40);
    slow.socket.resume();
    await until(() => slow.closed);
    expect(slow.closed).toEqual({ code: 4008, reason: JSON.stringify(slow.cursor) });
  });

  it('[LV8] shows deltas that came together in one frame, in order and before what follows them', async () => {
    const { hub, token, agent } = await stage();
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    let frames = 0;
    viewer.socket.on('message', (data) => {
      if (Buffer.isBuffer(data) && data.includes('"preview"')) frames += 1;
    });
    const texts = Array.from({ length: 100 }, (_, n) => `d${n}`);
    const said = texts.map((text) => agent.say(delta(text)));
    said.push(agent.say(assistant('whole')));
    await Promise.all(said);
    await viewer.find(({ message }) => message?.type === 'assistant');
    const shown = viewer.told.filter(({ type }) => type === 'preview' || type === 'sdk-message').slice(-101);
    expect(shown.slice(0, 100).map(({ message }) => message.event.delta.text)).toEqual(texts);
    expect(shown.at(-1).message.type).toBe('assistant');
    expect(frames).toBeLessThan(50);
  });
});

async function stage() {
  const { hub, store, token } = await startTestHub();
  const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  return { hub, store, token, agent };
}

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(state / 65_536) % below;
  };
}

const SIMPLE = [
  'true',
  'false',
  'null',
  '0',
  '-0.5',
  '1e30',
  '-1.5E+3',
  '"a"',
  '"\\u00aF\\/"',
  '"é\\n"',
  '""',
];
const CHARACTERS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '0',
  '1',
  '-',
  '.',
  'e',
  '+',
  't',
  'u',
  ' ',
  '\u0001',
];

function jsonText(random: Random, depth: number): string {
  const kind = random(depth > 4 ? 1 : 3);
  if (kind === 0) return SIMPLE[random(SIMPLE.length)] ?? '';
  const items = Array.from({ length: random(4) }, () => jsonText(random, depth + 1));
  if (kind === 1) return `[${items.join(' , ')}]`;
  return `{${items.map((item, index) => `"k${index}":${item}`).join(',\t')} }`;
}

/** A character more or less, up to twice. */
function damaged(text: string, random: Random): string {
  let result = text;
  for (let times = random(3); times > 0; times -= 1) {
    const at = random(result.length + 1);
    const more = random(2) === 0 ? CHARACTERS[random(CHARACTERS.length)] : '';
    result = result.slice(0, at) + more + result.slice(more === '' ? at + 1 : at);
  }
  return result;
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
