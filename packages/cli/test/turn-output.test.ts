import { PassThrough } from 'node:stream';
import { TurnView } from '@signalbox/chat';
import type { SDKMessage } from 'signalbox';
import { describe, expect, it } from 'vitest';
import { endOfAsk } from '../src/hub/author-words.ts';
import { PipedTurn, TerminalTurn } from '../src/run/turn-output.ts';

/** Messages of an agent that lack what the protocol has them say. */
const STRANGE: unknown[] = [
  { type: 'assistant' },
  { type: 'assistant', message: null },
  { type: 'assistant', message: { content: 'x' } },
  { type: 'assistant', message: { role: 'assistant', content: [null, 5, { type: 'text' }] } },
  { type: 'user', message: { content: [{ type: 'tool_result', content: 5 }] } },
  { type: 'result', subtype: '\x1b[2J', num_turns: '\x1b[2J', total_cost_usd: '\x1b[2J', duration_ms: null },
  { type: 'stream_event', event: null },
  { type: 'system', subtype: 5 },
];

/** As much of a reply as there has to be. */
const GOOD = {
  type: 'assistant',
  uuid: '9b2c1a3e-6d0e-4f59-9d3f-0d8a7f1f0c11',
  session_id: 's',
  parent_tool_use_id: null,
  message: { id: 'm', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'still here' }] },
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- agents say what they like
const messages = [...STRANGE, GOOD] as SDKMessage[];

describe('what an agent says that is not as the protocol has it', () => {
  it('[CL781] does not end a run whose output is piped: it is named, and the rest is shown', () => {
    const [out, notes] = [new PassThrough(), new PassThrough()];
    const turn = new PipedTurn(out, notes);
    for (const message of messages) turn.show(message);
    const said = String(notes.read());
    expect(said).toContain('signalbox run: left out what the agent says: ');
    expect(said).not.toContain('\x1b');
    expect(String(out.read())).toContain('still here');
  });

  it('[CL781] does not end a run in a terminal', () => {
    const screen = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a terminal as is written to
    const turn = new TerminalTurn(new TurnView(screen as unknown as NodeJS.WriteStream, '/'));
    for (const message of messages) {
      turn.preview(message);
      turn.show(message);
    }
    turn.close();
    const said = String(screen.read());
    expect(said).toContain('left out what the agent says');
    expect(said).toContain('still here');
  });
});

describe('an answer that somebody gave in words of their own', () => {
  it('[CL781] is told as far as it is text, and ends nobody’s run', () => {
    const author = { by: 'person', name: 'Eve', device: 'phone', deviceId: 'd' } as const;
    const told = (answers: unknown): string | undefined =>
      endOfAsk({
        session: 's',
        requestId: 'r',
        request: { subtype: 'can_use_tool' },
        parent: null,
        state: 'answered',
        openedAt: 0,
        closedAt: 1,
        answer: { author, what: 'allow', why: null, response: { updatedInput: { answers } } },
        isDelivered: true,
      });
    expect(told({ a: { toString: 1 } })).toBe('answered by Eve on phone: allow');
    expect(told({ a: 'tea', b: ['milk', 5] })).toBe('answered by Eve on phone: tea; milk');
  });
});
