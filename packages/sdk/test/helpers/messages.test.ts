import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  collectText,
  formatMessage,
  isToolUse,
  prettyPrint,
  type SDKMessage,
  type SDKResultError,
  type SDKUserMessage,
  withProgress,
} from '../../src/index.ts';
import { call, RESULT, reply, stream, text } from './spoken.ts';

/** A terminal that remembers what was written to it. */
function terminal(
  isTTY: boolean,
): NodeJS.WritableStream & { isTTY: boolean; columns: number; written: string } {
  const screen = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        screen.written += chunk.toString();
        done();
      },
    }),
    { isTTY, columns: 40, written: '' },
  );
  return screen;
}

function answered(content: string, isError = false): SDKUserMessage {
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content, is_error: isError }],
    },
    parent_tool_use_id: null,
  };
}

describe('collectText', () => {
  it('[SD160] is what the agent says in words, without its sub-agents', async () => {
    const messages = stream<SDKMessage>(
      reply([{ type: 'thinking', thinking: 'hm', signature: '' }, text('one')]),
      reply([text('aside')], 'toolu_1'),
      reply([call('Bash', {})]),
      reply([text('two')]),
      RESULT,
    );
    expect(await collectText(messages)).toBe('one\n\ntwo');
  });
});

describe('isToolUse', () => {
  it('[SD161] knows a tool by its name, and its input by its type', () => {
    const block = call('Bash', { command: 'ls' });
    expect(isToolUse(block, 'Edit')).toBe(false);
    expect(isToolUse(text('Bash'), 'Bash')).toBe(false);
    if (!isToolUse(block, 'Bash')) expect.unreachable('it is a Bash call');
    expectTypeOf(block.input.command).toEqualTypeOf<string>();
    expect(block.input.command).toBe('ls');
  });
});

describe('formatMessage', () => {
  it('[SD165] shows words, tool calls, their results and the end of a turn', () => {
    expect(formatMessage(reply([text('Hello.'), call('Bash', { command: 'npm  test\nagain' })]))).toBe(
      'Hello.\n● Bash npm test again',
    );
    expect(formatMessage(reply([call('Custom', { some: 'thing' })], 'toolu_1'))).toBe('  ● Custom');
    expect(formatMessage(answered('1\n2\n3\n4\n5\n6\n7'))).toBe(
      '  └ 1\n    2\n    3\n    4\n    5\n    … 2 more lines',
    );
    expect(formatMessage(RESULT)).toBe('✓ 2 turns, 1.2 s, $0.0123');
    expect(formatMessage({ ...RESULT, num_turns: 1 })).toBe('✓ 1 turn, 1.2 s, $0.0123');
    const { result: _result, ...outcome } = RESULT;
    const failure: SDKResultError = { ...outcome, subtype: 'error_max_turns', errors: ['too many'] };
    expect(formatMessage(failure)).toBe(
      '✗ It stopped at its limit of turns. Say “go on” to continue. 2 turns, 1.2 s, $0.0123',
    );
    const stopped: SDKResultError = { ...failure, subtype: 'error_during_execution', errors: [] };
    expect(formatMessage(stopped)).toBe('■ interrupted 2 turns, 1.2 s, $0.0123');
  });

  it('[SD165] says nothing about what only programs need', () => {
    const silent: SDKMessage = {
      type: 'system',
      subtype: 'session_state_changed',
      state: 'idle',
      uuid: RESULT.uuid,
      session_id: 's',
    };
    expect(formatMessage(silent)).toBe('');
  });

  it('[SD166] lets nothing through that a terminal would obey', () => {
    const evil = 'a\x1b]0;title\x07b\x1b[2Jc\x1b]52;c;aGk=\x1b\\d\r\x9b31me\u0000\tf\ng';
    const shown = [
      formatMessage(reply([text(evil), call('Bash', { command: evil })])),
      formatMessage(answered(evil)),
    ].join('');
    expect(shown).not.toMatch(/(?![\n\t])\p{Cc}/u);
    expect(shown).toContain('\tf\ng');
  });

  it('[SD167] is coloured on a terminal and nowhere else', () => {
    for (const isTTY of [true, false]) {
      const screen = terminal(isTTY);
      prettyPrint(reply([call('Read', { file_path: '/x' })]), screen);
      expect(screen.written.includes('\x1b[')).toBe(isTTY && !process.env['NO_COLOR']);
      expect(screen.written.endsWith('\n')).toBe(true);
    }
  });
});

describe('withProgress', () => {
  const messages: SDKMessage[] = [reply([call('Bash', { command: `sleep ${'1'.repeat(99)}` })]), RESULT];

  it('[SD168] draws one line that fits, and takes it away before anything else is written', async () => {
    const screen = terminal(true);
    const seen: SDKMessage[] = [];
    for await (const message of withProgress(stream(...messages), screen)) {
      seen.push(message);
      if (message.type === 'result') expect(screen.written.endsWith('\r\x1b[2K')).toBe(true);
    }
    expect(seen).toEqual(messages);
    expect(screen.written).toContain('Bash sleep 111');
    expect(screen.written).toContain('1 tool calls');
    expect(screen.written).not.toContain('\n');
    const drawn = screen.written.split('\r').map((line) => stripVTControlCharacters(line));
    expect(drawn.filter((line) => line.length >= screen.columns)).toEqual([]);
    expect(screen.written.endsWith('\r\x1b[2K')).toBe(true);
  });

  it('[SD168] is silent where there is no terminal', async () => {
    const screen = terminal(false);
    for await (const message of withProgress(stream(...messages), screen)) expect(message).toBeDefined();
    expect(screen.written).toBe('');
  });
});
