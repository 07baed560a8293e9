import { isUtf8 } from 'node:buffer';
import { isTooDeep, LIMITS, LineHead } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { bytesOf } from './decoding.ts';
import { mutateLine } from './mutate-line.ts';
import { randomObject, writeJson } from './random-json.ts';
import { recordedLines } from './recorded-lines.ts';

const GETTERS = ['type', 'subtype', 'uuid', 'sessionId', 'requestId', 'parentToolUseId'] as const;
const KEYS = ['type', 'subtype', 'uuid', 'session_id', 'request_id', 'parent_tool_use_id'] as const;

/** All fields, read in an order that decides which of them are looked for before the whole line was scanned. */
function headOf(bytes: Uint8Array, firstRead = 0): (string | undefined)[] {
  const head = new LineHead(bytes);
  for (let at = 0; at < GETTERS.length; at += 1)
    void head[GETTERS[(firstRead + at) % GETTERS.length] ?? 'type'];
  return GETTERS.map((getter) => head[getter]);
}

function parsedHead(line: string): (string | undefined)[] {
  const value: Record<string, unknown> = JSON.parse(line);
  return KEYS.map((key) => {
    const field = value[key];
    return typeof field === 'string' ? field : undefined;
  });
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Node's own bytes and any other bytes become text in different ways. */
function expectAgreement(line: string, firstRead = 0): void {
  const expected = parsedHead(line);
  expect(headOf(bytesOf(line), firstRead), line).toEqual(expected);
  expect(headOf(Buffer.from(line), firstRead), line).toEqual(expected);
}

describe('LineHead', () => {
  it('[ND12] agrees with JSON.parse on every recorded message', () => {
    expect(recordedLines.length).toBeGreaterThan(500);
    for (const line of recordedLines) expectAgreement(line);
  });

  it.each([
    '{}',
    '{"type":""}',
    '{"type":"a\\"b"}',
    '{"type":"a\\\\"}',
    '{"type":"\\u0061\\ud83d\\ude00\\ud800"}',
    '{"type":"\ufeffx","uuid":"\ufeffy"}',
    '{"type":{"type":"nested"}}',
    '{"message":{"type":"nested","uuid":"nested"},"uuid":"top"}',
    '{"message":{"uuid":"nested"}}',
    '{"list":["uuid","x"]}',
    '{"list":["z","uuid","x","y"]}',
    '{"list":["z","uuid","x"],"n":1}',
    '{"a":"\\\\\\\\","uuid":"u"}',
    '{"a\\"uuid":"x"}',
    '{"a,\\"uuid":"x"}',
    '{"list":[{"uuid":"nested"}],"n":-1.5E+3,"flag":true}',
    '{"uuid":"first","n":1e5,"none":null,"flag":false}',
    '{"text":"\\",\\"uuid\\":\\"fake"}',
    '{"text":",\\"uuid\\":\\"fake\\\\","session_id":"s"}',
    '{"uuid":"real","text":"\\\\","session_id":"s"}',
    '{"\\u0075uid":"escaped key"}',
    '{"uuid":"x","\\u0073ession_id":"escaped key"}',
    '{"\\u0075\\u0075\\u0069\\u0064":"all escaped"}',
    '{"uuid\\u0000":"longer key","uui":"shorter key"}',
    '{"uuid":null,"session_id":7,"type":["x"],"subtype":{"subtype":"x"}}',
    ' { "type" : "user" , "uuid" : "u" } ',
    '{"type":"user", "uuid":"u"}',
    '{"type":"user","uuid":"u" }',
    '{"type":"user","uuid": "u"}',
    `{"uuid":"${'u'.repeat(600)}","session_id":"${'s'.repeat(600)}"}`,
    `{"${'k'.repeat(600)}":1,"uuid":"u"}`,
    `{"uuid":"u","n":${'9'.repeat(600)}}`,
    '[{"type":"in an array"}]',
    '"type"',
    '7',
  ])('[ND13] agrees with JSON.parse on %s', (line) => {
    for (let firstRead = 0; firstRead < GETTERS.length; firstRead += 1) expectAgreement(line, firstRead);
  });

  it('[ND13] agrees with JSON.parse on random objects, however they are written', () => {
    const random = new SeededRandom(13);
    for (let round = 0; round < 20_000; round += 1) {
      expectAgreement(writeJson(randomObject(random), random), random.below(GETTERS.length));
    }
  });

  it('[ND1872] one look at a line tells whether it is JSON, and its fields, as JSON.parse does', () => {
    const random = new SeededRandom(1872);
    for (let round = 0; round < 20_000; round += 1) {
      const bytes = mutateLine(random.pick(recordedLines), random);
      if (!isUtf8(bytes)) continue;
      const text = bytes.toString();
      const isJson = isParsed(text) && !isTooDeep(bytes, LIMITS.contentDepth);
      const looked = new LineHead(bytes).settleType();
      expect(looked.isJson, text).toBe(isJson);
      // What was known of it before does not change what is said.
      const known = new LineHead(bytes);
      void known.subtype;
      expect(known.settleType().isJson, text).toBe(isJson);
      if (isJson && text.trim().startsWith('{'))
        expect([looked.parsedType, ...GETTERS.slice(1).map((getter) => looked[getter])], text).toEqual(
          parsedHead(text),
        );
    }
  });

  it('[ND14] reads any prefix, any suffix and any bytes without throwing', () => {
    const random = new SeededRandom(14);
    for (const line of [
      '{"type":"a\\"b","uuid":"c\\\\","n":1,"session_id":"d"}',
      '{"\\u0075uid":"\\ud800"}',
    ]) {
      const bytes = Buffer.from(line);
      for (let at = 0; at <= bytes.length; at += 1) {
        for (const part of [bytes.subarray(0, at), bytes.subarray(at)]) headOf(part);
      }
    }
    const structural = Buffer.from('{}[]:,"\\ u\n0a\xff', 'latin1');
    for (let round = 0; round < 20_000; round += 1) {
      const bytes = Buffer.from(Array.from({ length: random.below(24) }, () => random.pick([...structural])));
      headOf(bytes, random.below(GETTERS.length));
      headOf(new Uint8Array(bytes), random.below(GETTERS.length));
    }
  });

  // Anything worse than linear time needs hours for these, which is more than a test may take.
  it.each([
    ['escaped quotes', '{"a":"', '\\"', '"}'],
    ['backslashes', '{"a":"', '\\\\', '"}'],
    ['a string without end', '{"a":"', '\\"', ''],
    ['open brackets', '{"a":', '[', ''],
    ['nested objects', '{"a":', '{"a":', ''],
    ['members', '{', '"a":1,', '"a":1}'],
    ['keys with escapes', '{', '"\\u0061":"",', '"a":1}'],
    ['digits', '{"uuid":"u","a":', '1', '}'],
    ['white space', '{', '  ', '}'],
    ['quotes', '{', '"', '}'],
  ])('[ND14] reads a line of 4 MiB of %s in linear time', (_, start, middle, end) => {
    const line = Buffer.from(`${start}${middle.repeat((4 * 1024 * 1024) / middle.length)}${end}`);
    headOf(line);
    headOf(new Uint8Array(line));
  });

  it('[ND15] knows a field only when it is a string at the top level', () => {
    expect(headOf(bytesOf('{"type":1,"subtype":null,"uuid":{"uuid":"x"},"session_id":["s"]}'))).toEqual(
      GETTERS.map(() => undefined),
    );
    // The first half of an id would be worse than none.
    expect(headOf(bytesOf('{"n":1,"uuid":"first half'))).toEqual(GETTERS.map(() => undefined));
    expect(headOf(bytesOf('not JSON "uuid":"x"}'))).toEqual(GETTERS.map(() => undefined));
  });
});
