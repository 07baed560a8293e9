import { type JsonObject, parseAgentMessage } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { Conversation } from '../src/session/conversation.ts';
import type { Entry } from '../src/session/entry.ts';
import { textOf } from '../src/text/line.ts';
import { entryLines } from '../src/view/entry-lines.ts';
import { costText, durationText, statusLine } from '../src/view/status-line.ts';

const RESULT = {
  type: 'result',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  session_id: 's',
};

/** A conversation that has heard these messages, and what it made of them. */
function hear(...messages: JsonObject[]): { conversation: Conversation; entries: Entry[] } {
  const entries: Entry[] = [];
  const conversation = new Conversation((entry) => entries.push(entry));
  for (const message of messages) {
    conversation.take(
      parseAgentMessage({ uuid: 'u', session_id: 's', parent_tool_use_id: null, ...message }),
      1000,
    );
  }
  return { conversation, entries };
}

function assistant(...content: JsonObject[]): JsonObject {
  return { type: 'assistant', message: { id: 'm', role: 'assistant', model: 'x', content } };
}

const begin = (type: string): JsonObject => ({
  type: 'stream_event',
  event: {
    type: 'content_block_start',
    index: 0,
    content_block: type === 'text' ? { type, text: '' } : { type, thinking: '' },
  },
});

const delta = (text: string): JsonObject => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
});

function replies(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => (entry.kind === 'reply' ? [entry.text] : []));
}

describe('a conversation', () => {
  it('[CH2] hands out a reply block by block while it is written, and the rest once it is complete', () => {
    const text = 'First.\n\nSecond.\n\nThird.';
    const { conversation, entries } = hear(begin('text'), delta('First.\n\nSec'), delta('ond.\n\nTh'));
    expect(replies(entries).join('')).toBe('First.\n\nSecond.\n\n');
    expect(conversation.reply?.rest).toBe('Th');
    const whole = hear(
      begin('text'),
      delta('First.\n\nSec'),
      delta('ond.\n\nTh'),
      assistant({ type: 'text', text }),
    );
    expect(replies(whole.entries).join('')).toBe(text);
    expect(whole.entries.map((entry) => entry.kind === 'reply' && entry.isStart)).toEqual([
      true,
      false,
      false,
    ]);
    expect(whole.conversation.reply).toBeUndefined();
  });

  it('[CH2] shows a reply once, whether it was streamed, came whole, or came whole after the next began', () => {
    const whole = assistant({ type: 'text', text: 'Hello.' });
    expect(replies(hear(whole).entries)).toEqual(['Hello.']);
    expect(replies(hear(begin('text'), delta('Hello.'), begin('text'), whole).entries)).toEqual(['Hello.']);
    expect(
      replies(
        hear(begin('text'), delta('Hello.'), { ...RESULT, subtype: 'success', result: 'Hello.' }).entries,
      ),
    ).toEqual(['Hello.']);
  });

  it('[CH2] keeps what was written of a reply that was cut off', () => {
    const stopped = { type: 'user', message: { role: 'user', content: '[Request interrupted by user]' } };
    const { entries } = hear(begin('text'), delta('Half a'), stopped);
    expect(entries).toEqual([{ kind: 'reply', text: 'Half a', isStart: true }, { kind: 'stopped' }]);
  });

  it('[CH5] finishes a call with its result, and calls without one when the turn ends', () => {
    const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'Bash', input: {} });
    const result = { type: 'tool_result', tool_use_id: 'one', content: [{ type: 'text', text: 'out' }] };
    const { conversation, entries } = hear(assistant(call('one')), assistant(call('two')), {
      type: 'user',
      message: { role: 'user', content: [result] },
    });
    expect(conversation.runningCalls.map(({ id }) => id)).toEqual(['two']);
    expect(entries).toMatchObject([{ kind: 'card', card: { id: 'one', state: 'done', text: 'out' } }]);
    conversation.take(parseAgentMessage({ ...RESULT, subtype: 'success', result: '' }), 2000);
    expect(entries[1]).toMatchObject({ kind: 'card', card: { id: 'two', state: 'failed' } });
  });

  it.each([
    [{ subtype: 'error_max_turns', is_error: true }, 'limit of turns'],
    [{ subtype: 'error_max_budget_usd', is_error: true }, 'limit of costs'],
    [{ subtype: 'error_during_execution', is_error: true, errors: ['no credit'] }, 'no credit'],
    [{ subtype: 'success', is_error: true, result: 'API Error: 500' }, 'API Error: 500'],
    [{ subtype: 'error_of_the_future', is_error: true }, 'error_of_the_future'],
  ])('[CH29] says %j in words', (fields, words) => {
    const { entries } = hear({ ...RESULT, ...fields });
    expect(entries).toEqual([{ kind: 'note', text: expect.stringContaining(words), tone: 'error' }]);
  });

  it('[CH29] says nothing of a turn that the person stopped', () => {
    const { entries } = hear({
      ...RESULT,
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_streaming',
    });
    expect(entries).toEqual([]);
  });

  it('[CH29] says a failure once that is also what the agent said last', () => {
    const text = 'Not logged in';
    const { entries } = hear(assistant({ type: 'text', text }), {
      ...RESULT,
      subtype: 'success',
      is_error: true,
      result: text,
    });
    expect(entries).toMatchObject([{ kind: 'reply', text }]);
  });

  it('[CH27] shows what commands answer: in the result, as output, as a user message', () => {
    const output = '<local-command-stdout>Three.</local-command-stdout>';
    const { entries } = hear(
      { ...RESULT, subtype: 'success', result: 'One.' },
      { type: 'system', subtype: 'local_command_output', content: 'Two.' },
      { type: 'user', message: { role: 'user', content: output }, isReplay: true },
    );
    expect(replies(entries)).toEqual(['One.', 'Two.', 'Three.']);
  });

  it('[CH30] shows the prompts of others who drive the session, and its own once', () => {
    const { conversation, entries } = hear();
    conversation.prompted('mine', 'own', 1000);
    for (const [uuid, content] of [
      ['own', 'mine'],
      ['other', 'theirs'],
    ]) {
      const replay = {
        type: 'user',
        message: { role: 'user', content },
        isReplay: true,
        uuid,
        session_id: 's',
      };
      conversation.take(parseAgentMessage(replay), 1000);
    }
    expect(entries).toEqual([
      { kind: 'prompt', text: 'mine' },
      { kind: 'prompt', text: 'theirs' },
    ]);
  });

  it.each([
    [
      { subtype: 'task_notification', task_id: 't', status: 'failed', summary: 'tests' },
      'Background task failed: tests',
    ],
    [
      { subtype: 'hook_response', hook_id: 'h', hook_name: 'lint', outcome: 'error', stderr: 'bad' },
      'Hook lint failed: bad',
    ],
    [{ subtype: 'permission_denied', tool_name: 'Bash', message: 'by a rule' }, 'by a rule'],
    [{ subtype: 'informational', content: 'by the way' }, 'by the way'],
  ])('[CH7] tells %j', (fields, text) => {
    expect(hear({ type: 'system', ...fields }).entries).toMatchObject([{ kind: 'note', text }]);
  });

  it('[CH7] does not tell of a task whose card is still open', () => {
    const call = { type: 'tool_use', id: 'one', name: 'Task', input: {} };
    const end = { subtype: 'task_notification', task_id: 't', tool_use_id: 'one', status: 'completed' };
    const { entries } = hear(
      { type: 'assistant', message: { id: 'm', role: 'assistant', model: 'x', content: [call] } },
      { type: 'system', ...end },
    );
    expect(entries.filter(({ kind }) => kind === 'note')).toEqual([]);
  });
});

describe('entries and status', () => {
  it('[CH4] nothing that others wrote reaches the screen as it is', () => {
    const hostile = 'a\x1b[2Jb';
    const card = {
      id: 'x',
      name: hostile,
      input: { command: hostile },
      state: 'done' as const,
      calls: [],
      text: hostile,
      structured: undefined,
    };
    const entries: Entry[] = [
      { kind: 'opening', title: hostile, cwd: hostile },
      { kind: 'prompt', text: hostile },
      { kind: 'reply', text: hostile, isStart: true },
      { kind: 'thought', text: hostile },
      { kind: 'note', text: hostile, tone: 'quiet' },
      { kind: 'card', card },
    ];
    for (const entry of entries) {
      expect(entryLines(entry, 40, '/').map(textOf).join('')).not.toContain('\x1b');
    }
  });

  it('[CH22] the status line says what is known, and fits', () => {
    const status = {
      model: 'opus',
      mode: 'plan',
      contextPercent: 12,
      costUsd: 0.5,
      turnMs: 65_000,
      notice: '',
    };
    expect(textOf(statusLine(status, 90))).toBe(
      '  opus · plans only · 12% full · $0.5000 · 1m 05s · Shift+Tab changes the mode',
    );
    expect(textOf(statusLine({ ...status, contextPercent: undefined }, 20))).toBe('  opus · plans only…');
    expect([costText(0), costText(12.3)]).toEqual(['$0.00', '$12.30']);
    expect([durationText(999), durationText(3_720_000)]).toEqual(['0s', '1h 02m']);
  });
});
