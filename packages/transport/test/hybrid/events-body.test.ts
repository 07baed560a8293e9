import { LIMITS } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { decodeEvents, encodeEvents } from '../../src/hybrid/events-body.ts';
import { chanceLine, DIFFICULT_LINES } from '../sample-lines.ts';

const decode = (body: string): string[] => decodeEvents(Buffer.from(body)).map((line) => line.text());

describe('the body of a POST', () => {
  it('[HY2] holds the lines as they are', () => {
    const lines = ['{"a": 1}', ' 2 ', '"é"'].map((line) => Buffer.from(line));
    expect(encodeEvents(lines).toString()).toBe('{"events":[{"a": 1}, 2 ,"é"]}');
  });

  it('[HY3] gives back every line byte for byte', () => {
    const random = new SeededRandom(7);
    const lines = [...DIFFICULT_LINES, ...Array.from({ length: 200 }, () => chanceLine(random))];
    const decoded = decodeEvents(encodeEvents(lines.map((line) => Buffer.from(line))));
    expect(decoded).toHaveLength(lines.length);
    expect(decoded.findIndex((line, n) => line.text() !== lines[n])).toBe(-1);
  });

  it('[HY3] gives back bytes that are not UTF-8', () => {
    const line = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
    expect(decodeEvents(encodeEvents([line, line])).map((event) => Buffer.from(event.bytes()))).toEqual([
      line,
      line,
    ]);
  });

  it.each([
    ['{"events":[]}', []],
    [' { "events" : [ ] } ', []],
    ['{"before":[1,{"events":[2]}],"events":[3],"after":"events"}', ['3']],
    ['{"\\u0065vents":[1]}', ['1']],
    ['{"events":[1\r,2\r]}', ['1', '2']],
    ['{"events":[1],"events":[2]}', ['2']],
    ['{"events":["]}",{"\\"":"[{\\\\"},[[1,2],{}]]}', ['"]}"', '{"\\"":"[{\\\\"}', '[[1,2],{}]']],
  ])('[HY3] finds the events in %s', (body, events) => {
    expect(decode(body)).toEqual(events);
  });

  it.each(['\n', '\r\n'])('[HY3] makes one line of an event that was written on several (%j)', (lineEnd) => {
    const events = [{ type: 'user', list: [1, 2] }, { type: 'result' }];
    const body = JSON.stringify({ events }, null, 2).replaceAll('\n', lineEnd);
    const lines = decode(body);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(events);
    for (const line of lines) expect(line).not.toMatch(/\n|\r$/);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '"events"',
    '{"events":{}}',
    '{"events":1}',
    '{"events":[1}',
    '{"events":[1]',
    '{"events":[1]}x',
    '{"events":["1]}',
    '{"events":[{]}',
    '{events:[1]}',
    '{"event":[1]}',
    '{"events":[1,]}',
    '{"events":[,1]}',
    '{"events":[1, ,2]}',
  ])('[HY4] %j is refused with 400', (body) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'EVENTS_REFUSED', status: 400 }));
  });

  it('[HY4] so many events are taken, and one more is too many', () => {
    const bodyOf = (count: number): string => `{"events":[${'1,'.repeat(count - 1)}1]}`;
    expect(decode(bodyOf(LIMITS.eventsPerPost.most))).toHaveLength(LIMITS.eventsPerPost.most);
    expect(() => decode(bodyOf(LIMITS.eventsPerPost.most + 1))).toThrow(
      `${LIMITS.eventsPerPost.most} events at most`,
    );
  });

  it('[HY4] costs no more than linear time, whatever it holds', () => {
    const size = 4 * 1024 * 1024;
    const hard = [
      '['.repeat(size),
      '"'.repeat(size),
      '\\"'.repeat(size / 2),
      ',"'.repeat(size / 2),
      ' '.repeat(size),
    ];
    for (const text of hard) {
      for (const body of [text, `{"events":[${text}`, `{"events":["${text}`]) {
        expect(() => decode(body)).toThrow(expect.objectContaining({ status: 400 }));
      }
    }
  });
});
