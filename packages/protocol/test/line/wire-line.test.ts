import { WireLine } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { bytesOf, decode } from './decoding.ts';

const TEXT = '{"type":"user","text":"grüße"}';

function allForms(): [string, WireLine | undefined][] {
  const bytes = bytesOf(TEXT);
  return [
    ['from text', WireLine.of(TEXT)],
    ['from bytes', WireLine.of(bytes)],
    ['from pieces', WireLine.ofPieces([bytes.subarray(0, 25), bytes.subarray(25)])],
    ['decoded from one chunk', decode([bytesOf(`x\n${TEXT}\ny\n`)])[1]],
    ['decoded from several chunks', decode([bytes.subarray(0, 25), bytes.subarray(25), bytesOf('\n')])[0]],
  ];
}

describe('WireLine', () => {
  it.each(allForms())('[ND11] %s is the same line as text, bytes, pieces, JSON and head', (_, line) => {
    expect(line?.byteLength).toBe(bytesOf(TEXT).length);
    expect(Buffer.concat(line?.pieces() ?? []).toString()).toBe(TEXT);
    expect(line?.head().type).toBe('user');
    expect(line?.json()).toEqual({ type: 'user', text: 'grüße' });
    expect(line?.text()).toBe(TEXT);
    expect(Buffer.from(line?.bytes() ?? []).toString()).toBe(TEXT);
    expect(Buffer.concat(line?.pieces() ?? []).toString()).toBe(TEXT);
  });

  it('[ND11] throws a SyntaxError for a line that is not JSON', () => {
    for (const text of ['', '{', '\ufeff{}']) expect(() => WireLine.of(text).json()).toThrow(SyntaxError);
  });
});
