import { recoverFromRawLine } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';

describe('recoverFromRawLine', () => {
  it.each<[string, string | undefined, boolean]>([
    ['{"type":"system","subtype":"init","session_id":"sess_abc123","mod', 'sess_abc123', true],
    [
      '{"type":"result","session_id":"0273e2ea-8b2e-4c1b-8854-853781ec6506"}{"type',
      '0273e2ea-8b2e-4c1b-8854-853781ec6506',
      false,
    ],
    ['{\\"subtype\\":\\"init\\",\\"session_id\\":\\"sess_abc123\\"}', 'sess_abc123', true],
    ["sessionId = 'sess_abc123'", 'sess_abc123', false],
    ['[init] SESSION: sess.abc-123 ready', 'sess.abc-123', true],
    ['[system/init] session=sess_abc123', 'sess_abc123', true],
    ['in session beginning now, session_id: sess_abc123', 'sess_abc123', false],
    ['{"session_id":null,"subtype":"initial"', undefined, false],
    ['session_id=short', undefined, false],
    ['reinit the subtypeinit of an obsession', undefined, false],
    ['this is not json', undefined, false],
    ['', undefined, false],
  ])('[MSG15] finds the session and the init in %s', (line, sessionId, isInit) => {
    expect(recoverFromRawLine(line)).toEqual(sessionId === undefined ? { isInit } : { sessionId, isInit });
  });

  it('[MSG15] takes no id longer than an id can be', () => {
    expect(recoverFromRawLine(`session_id: ${'a'.repeat(129)}`)).toEqual({ isInit: false });
    expect(recoverFromRawLine(`session_id: ${'a'.repeat(128)}`).sessionId).toHaveLength(128);
  });

  it.each([
    ['session_id'],
    ['session_id"'],
    ['session_id:  :  : short '],
    ['session_id="aaaaaaaaaaaaaaaa'],
    ['"'],
    [' '],
    ['a'],
    ['subtype""""'],
    ['[[[system/'],
  ])('[MSG16] needs linear time on megabytes of %j', (piece) => {
    // Where time is quadratic, this takes days.
    expect(recoverFromRawLine(`session_id ${piece.repeat(8_000_000 / piece.length)}`)).toBeDefined();
  });
});
