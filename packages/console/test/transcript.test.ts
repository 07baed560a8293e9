import { describe, expect, it } from 'vitest';
import type { CallItem, Item } from '../src/model/item.ts';
import { reportOf } from '../src/model/report.ts';
import { completionsOf } from '../src/model/slash-commands.ts';
import { Transcript } from '../src/model/transcript.ts';
import {
  ADA,
  answered,
  asked,
  call,
  decided,
  entry,
  prompt,
  said,
  streamed,
  text,
  writing,
} from './sample.ts';

function transcriptOf(...messages: unknown[]): Transcript {
  const transcript = new Transcript();
  for (const [index, message] of messages.entries()) transcript.add(entry(index + 1, message));
  return transcript;
}

function itemsOf({ groups }: Transcript): Item[] {
  return groups.flatMap(({ items }) => items);
}

function callIn(transcript: Transcript, id = 't1'): CallItem {
  const all = (list: readonly Item[]): Item[] =>
    list.flatMap((item) => (item.kind === 'call' ? [item, ...all(item.children)] : [item]));
  const found = all(itemsOf(transcript)).find((item) => item.kind === 'call' && item.id === id);
  if (found?.kind !== 'call') throw new Error(`There is no call ${id}.`);
  return found;
}

function words(transcript: Transcript): string[] {
  return itemsOf(transcript).map((item) =>
    item.kind === 'text' || item.kind === 'prompt' ? item.text : item.kind,
  );
}

describe('what is said', () => {
  it('[CO1] shows prompts with who wrote them, replies, thoughts and the end of a turn', () => {
    const transcript = new Transcript();
    transcript.add(entry(1, prompt('hello'), ADA));
    transcript.add(entry(2, said({ type: 'thinking', thinking: 'hm' })));
    transcript.add(entry(3, said(text('hi'))));
    const result = { subtype: 'success', is_error: false, duration_ms: 1200, total_cost_usd: 0.5 };
    transcript.add(entry(4, { type: 'result', ...result }));
    expect(itemsOf(transcript)).toMatchObject([
      { kind: 'prompt', who: 'Ada', text: 'hello', time: 1000 },
      { kind: 'thinking', text: 'hm', isLive: false },
      { kind: 'text', text: 'hi', isLive: false },
      { kind: 'turn-end', durationMs: 1200, costUsd: 0.5, isInterrupted: false, problem: undefined },
    ]);
  });

  it('[CO1] tells a prompt once, however often the agent repeats it', () => {
    const transcript = new Transcript();
    transcript.add(entry(1, prompt('hello', 'u1'), ADA));
    transcript.add(entry(2, prompt('hello', 'u1')));
    expect(words(transcript)).toEqual(['hello']);
    expect(transcript.hasPrompt('u1')).toBe(true);
  });

  it('[CO70] shows what a turn cost, and not what the agent has cost by then', () => {
    const result = (total: number) => ({ type: 'result', subtype: 'success', total_cost_usd: total });
    const costs = (transcript: Transcript): unknown[] =>
      itemsOf(transcript).flatMap((item) => (item.kind === 'turn-end' ? [item.costUsd] : []));
    const interrupted = { ...result(0.6), subtype: 'error_during_execution', errors: [] };
    const started = { type: 'bridge', subtype: 'started', command: [] };
    const anew = [started, result(0.9)];
    expect(costs(transcriptOf(result(0.1), result(0.3), interrupted, result(0.6), ...anew))).toEqual([
      0.1, 0.2, 0.3, 0, 0.9,
    ]);
    // Without a word of a bridge, less than before says as much.
    expect(costs(transcriptOf(result(0.5), result(0.2)))).toEqual([0.5, 0.2]);
    const tail = new Transcript();
    tail.add(entry(70, result(0.5)));
    tail.add(entry(71, result(0.75)));
    expect(costs(tail)).toEqual([undefined, 0.25]);
  });

  it('[CO69] shows what a command prints, as its output or in the result alone', () => {
    const output = (kind: string, content: string) => ({
      ...Object(prompt(`<local-command-${kind}>${content}</local-command-${kind}>`)),
      isReplay: true,
    });
    const result = { type: 'result', subtype: 'success', result: '' };
    const transcript = new Transcript();
    transcript.add(entry(1, prompt('/cost', 'u1'), ADA));
    transcript.add(entry(2, { ...Object(prompt('/cost', 'u1')), isReplay: true }));
    transcript.add(entry(3, output('stdout', 'Total: $1')));
    transcript.add(entry(4, { ...result, result: 'Total: $1' }));
    transcript.add(entry(5, output('stderr', 'no such thing')));
    transcript.add(entry(6, result));
    transcript.add(entry(7, { ...result, result: 'Unknown skill: help' }));
    transcript.add(entry(8, said(text('said once'))));
    transcript.add(entry(9, { ...result, result: 'said once' }));
    expect(words(transcript)).toEqual([
      '/cost',
      'Total: $1',
      'turn-end',
      'no such thing',
      'turn-end',
      'Unknown skill: help',
      'turn-end',
      'said once',
      'turn-end',
    ]);
    // Of a turn that began further up nobody knows what it has said.
    const tail = new Transcript();
    tail.add(entry(90, { ...result, result: 'said further up' }));
    expect(words(tail)).toEqual(['turn-end']);
  });

  it('[CO68] knows the commands that the agent named last, with what it said about them', () => {
    const commands = [
      { name: 'cost', description: 'what it cost' },
      { name: 'compact', description: 'sums up' },
    ];
    const greeted = { type: 'control_response', response: { subtype: 'success', response: { commands } } };
    const init = { type: 'system', subtype: 'init', slash_commands: ['cost', 'mine'] };
    const { commands: known } = transcriptOf(greeted, init, { type: 'keep_alive' });
    expect(known).toEqual([
      { name: 'cost', description: 'what it cost' },
      { name: 'mine', description: '' },
    ]);
    const found = ['/', '/C', '/cost', '/cost ', 'not /c', '/x'].map((start) =>
      completionsOf(start, known).map(({ name }) => name),
    );
    expect(found).toEqual([['cost', 'mine'], ['cost'], [], [], [], []]);
  });

  it('[CO2] says why a turn failed, and that an interrupt is no failure', () => {
    const failed = { type: 'result', subtype: 'error_during_execution', errors: ['no key'] };
    const stopped = { ...failed, errors: [], terminal_reason: 'aborted_streaming' };
    expect(itemsOf(transcriptOf(failed))).toMatchObject([{ problem: 'no key', isInterrupted: false }]);
    expect(itemsOf(transcriptOf(stopped))).toMatchObject([{ problem: undefined, isInterrupted: true }]);
    const broken = { type: 'result', subtype: 'success', is_error: true, result: 'API Error' };
    expect(itemsOf(transcriptOf(broken))).toMatchObject([{ problem: 'API Error' }]);
  });

  it('[CO3] notes what happened beside the conversation, and keeps quiet about the machinery', () => {
    const transcript = transcriptOf(
      { type: 'system', subtype: 'init', model: 'opus', cwd: '/shop' },
      { type: 'system', subtype: 'init', model: 'opus', cwd: '/shop' },
      { type: 'system', subtype: 'compact_boundary', compact_metadata: { pre_tokens: 90_000 } },
      { type: 'system', subtype: 'status', status: 'compacting' },
      { type: 'hub', subtype: 'gap', from: 3, to: 5 },
      { type: 'bridge', subtype: 'exited', code: 1, stderr: 'no such model' },
      { type: 'keep_alive' },
    );
    expect(itemsOf(transcript).map((item) => (item.kind === 'note' ? [item.text, item.tone] : item))).toEqual(
      [
        { kind: 'start', key: 'entry-1', model: 'opus', folder: '/shop' },
        ['The conversation was summed up (90k tokens before)', 'mark'],
        ['3 lines of the agent were lost here: it had forgotten them before the hub got them', 'warning'],
        ['The agent failed with exit code 1', 'error'],
      ],
    );
    expect(itemsOf(transcript).at(-1)).toMatchObject({ detail: 'no such model' });
  });

  it('[CO1100] says in words that the agent began another conversation, and in which session', () => {
    const rotated = { type: 'hub', subtype: 'rotated', from: 'a', to: 'b' };
    const notes = itemsOf(
      transcriptOf(rotated, { ...rotated, next: 'the next' }, { ...rotated, previous: 'the one before' }),
    );
    expect(notes).toMatchObject([
      { kind: 'note', tone: 'mark', text: 'The agent began another conversation', session: undefined },
      { text: 'The agent began another conversation, which is a session of its own', session: 'the next' },
      { text: 'The agent began this conversation after another one', session: 'the one before' },
    ]);
  });

  it('[CO269] says who ended the agent, and not with which code it did', () => {
    const exited = { type: 'bridge', subtype: 'exited', code: 1, stderr: '' };
    const transcript = transcriptOf(exited);
    transcript.add(entry(2, { type: 'bridge', subtype: 'started' }));
    transcript.add(entry(3, { type: 'hub', subtype: 'stop' }, ADA));
    transcript.add(entry(4, exited));
    transcript.add(entry(5, { type: 'bridge', subtype: 'started' }));
    transcript.add(entry(6, exited));
    expect(itemsOf(transcript).map((item) => (item.kind === 'note' ? [item.text, item.tone] : item))).toEqual(
      [
        ['The agent failed with exit code 1', 'error'],
        ['The agent was started', 'quiet'],
        ['Ada ended the agent', 'quiet'],
        ['The agent was started', 'quiet'],
        ['The agent failed with exit code 1', 'error'],
      ],
    );
  });

  it('[CO2] says an error once that came in the place of a reply', () => {
    const error = { ...Object(said(text('No credentials'))), error: 'authentication_failed' };
    const end = { type: 'result', subtype: 'success', is_error: true, result: 'No credentials' };
    expect(itemsOf(transcriptOf(error, end))).toMatchObject([
      { kind: 'note', tone: 'error', text: 'No credentials' },
      { kind: 'turn-end', problem: undefined },
    ]);
    expect(itemsOf(transcriptOf(error, { ...end, result: 'Another' }))).toMatchObject([
      { kind: 'note' },
      { kind: 'turn-end', problem: 'Another' },
    ]);
  });

  it('[CO4] keeps what it does not know, as it was written', () => {
    const transcript = transcriptOf(
      { type: 'system', subtype: 'tomorrow', news: 1 },
      said({ type: 'hologram' }),
    );
    transcript.add({ type: 'sdk-message', session: 's', seq: 3, check: 3, raw: 'Segmentation fault' });
    transcript.add({ type: 'sdk-message', session: 's', seq: 4, check: 0, damaged: true });
    expect(itemsOf(transcript)).toMatchObject([
      { kind: 'unknown', title: 'system / tomorrow', source: expect.stringContaining('"news": 1') },
      { kind: 'unknown', title: 'hologram' },
      { kind: 'unknown', source: 'Segmentation fault' },
      { kind: 'note', tone: 'error' },
    ]);
  });
});

describe('tool calls', () => {
  const bash = said(call('t1', 'Bash', { command: 'ls' }));

  it('[CO5] are running, then done with what they answered, or failed', () => {
    expect(callIn(transcriptOf(bash)).state).toBe('running');
    const done = callIn(transcriptOf(bash, answered('t1', [text('a.txt')])));
    expect(done).toMatchObject({ state: 'done', input: { command: 'ls' }, result: { text: 'a.txt' } });
    expect(callIn(transcriptOf(bash, answered('t1', 'boom', true)))).toMatchObject({
      state: 'failed',
      result: { text: 'boom' },
    });
  });

  it('[CO5] ask, and say who denied or allowed them', () => {
    expect(callIn(transcriptOf(bash, asked('r1', 't1'))).state).toBe('asking');
    const denied = transcriptOf(bash, asked('r1', 't1'));
    denied.add(entry(3, decided('r1', 'deny'), ADA));
    denied.add(entry(4, answered('t1', 'Not now', true)));
    expect(callIn(denied)).toMatchObject({ state: 'denied', decidedBy: 'Ada', result: { text: 'Not now' } });
    const allowed = transcriptOf(bash, asked('r1', 't1'));
    allowed.add(entry(3, decided('r1', 'allow'), ADA));
    expect(callIn(allowed)).toMatchObject({ state: 'running', decidedBy: 'Ada' });
    const withdrawn = transcriptOf(bash, asked('r1', 't1'), {
      type: 'control_cancel_request',
      request_id: 'r1',
    });
    expect(callIn(withdrawn).state).toBe('running');
  });

  it('[CO5] stop with their turn and with their agent', () => {
    const interrupted = { type: 'result', subtype: 'error_during_execution', errors: [] };
    expect(callIn(transcriptOf(bash, interrupted)).state).toBe('interrupted');
    expect(callIn(transcriptOf(bash, { type: 'bridge', subtype: 'exited', code: 0 })).state).toBe('stopped');
  });

  it('[CO268] were interrupted, and have not failed, where somebody stopped their turn', () => {
    const end = { type: 'result', subtype: 'error_during_execution', terminal_reason: 'aborted_tools' };
    const both = [said(call('t1', 'Bash')), said(call('t2', 'Bash'))];
    const transcript = transcriptOf(
      ...both,
      answered('t1', 'No such file', true),
      answered('t2', 'The command was interrupted', true),
    );
    expect(callIn(transcript, 't2').state).toBe('failed');
    transcript.add(entry(5, end));
    expect(callIn(transcript, 't1').state).toBe('failed');
    expect(callIn(transcript, 't2').state).toBe('interrupted');
    const refused = "The user doesn't want to proceed with this tool use.";
    expect(callIn(transcriptOf(bash, answered('t1', refused, true), end)).state).toBe('interrupted');
    const inTime = { type: 'result', subtype: 'success', is_error: false };
    expect(callIn(transcriptOf(bash, answered('t1', refused, true), inTime)).state).toBe('failed');
  });

  it('[CO267] say the report of a sub-agent once, and notes of its end repeat nothing of it', () => {
    const report = '## Found\n\n- **one**';
    const task = { type: 'system', task_id: 'a1', tool_use_id: 't1', description: 'Look around' };
    const started = { ...task, subtype: 'task_started', task_type: 'local_agent' };
    const ended = { ...task, subtype: 'task_notification', status: 'completed', summary: report };
    const start = said(call('t1', 'Task'));
    const result = {
      ...Object(answered('t1', [text(report), text('agentId: a1')])),
      tool_use_result: { content: [text(report)] },
    };
    const waited = transcriptOf(start, { ...started, is_backgrounded: false }, ended, result);
    expect(itemsOf(waited)).toHaveLength(1);
    expect(reportOf(callIn(waited))).toBe(report);
    const heard = transcriptOf(start, said(text(report), 'm2', 't1'), result);
    expect(reportOf(callIn(heard))).toBe('');
    const beside = transcriptOf(start, { ...started, is_backgrounded: true }, result, ended);
    expect(itemsOf(beside).at(-1)).toMatchObject({
      kind: 'note',
      text: '“Look around” is done',
      detail: undefined,
    });
    const shell = { ...started, task_type: 'local_bash' };
    const tests = transcriptOf(shell, { ...ended, status: 'failed', summary: 'npm test (exit code 1)' });
    expect(itemsOf(tests)).toMatchObject([{ text: 'Background task failed: npm test (exit code 1)' }]);
  });

  it('[CO6] hold what their sub-agents say, at any depth', () => {
    const transcript = transcriptOf(
      said(call('t1', 'Task')),
      said(text('looking'), 'm2', 't1'),
      said(call('t2', 'Task'), 'm2', 't1'),
      said(text('deeper'), 'm3', 't2'),
      answered('t2', 'found'),
    );
    expect(itemsOf(transcript)).toHaveLength(1);
    expect(callIn(transcript).children).toMatchObject([
      { kind: 'text', text: 'looking' },
      { kind: 'call', id: 't2', state: 'done', children: [{ kind: 'text', text: 'deeper' }] },
    ]);
  });
});

describe('what is being written', () => {
  function written(...events: unknown[]): Transcript {
    const transcript = new Transcript();
    for (const event of events) transcript.preview(event);
    return transcript;
  }

  it('[CO7] grows, and keeps its name when the record has it', () => {
    const transcript = written(...writing(['Hel', 'lo']));
    const [live] = itemsOf(transcript);
    expect(live).toMatchObject({ kind: 'text', text: 'Hello', isLive: true });
    transcript.add(entry(1, said(text('Hello there'))));
    expect(itemsOf(transcript)).toMatchObject([{ text: 'Hello there', isLive: false, key: live?.key }]);
  });

  it('[CO7] gives way block by block, though the record lags behind', () => {
    const transcript = written(...writing(['one']), ...writing(['two'], 1));
    transcript.add(entry(1, said(text('one'))));
    expect(words(transcript)).toEqual(['one', 'two']);
    transcript.add(entry(2, said(text('two'))));
    for (const event of writing(['next'], 0, 'm2')) transcript.preview(event);
    transcript.add(entry(3, said(text('three'))));
    expect(words(transcript)).toEqual(['one', 'two', 'three', 'next']);
  });

  it('[CO7] is not shown in halves when its beginning was missed, nor after its turn', () => {
    const [, , delta] = writing(['half']);
    expect(itemsOf(written(delta))).toEqual([]);
    const over = written(...writing(['cut off']));
    over.add(entry(1, { type: 'result', subtype: 'success' }));
    expect(words(over)).toEqual(['turn-end']);
  });

  it('[CO7] shows calls as they are prepared, and sub-agents under theirs', () => {
    const block = { type: 'tool_use', id: 't1', name: 'Task' };
    const transcript = written(streamed({ type: 'content_block_start', index: 0, content_block: block }));
    expect(callIn(transcript).state).toBe('writing');
    transcript.add(entry(1, said(call('t1', 'Task'))));
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'sub' } };
    transcript.preview(streamed(start, 't1'));
    expect(callIn(transcript)).toMatchObject({ state: 'running', children: [{ text: 'sub', isLive: true }] });
  });
});

describe('what an agent says at length', () => {
  const reply = (content: unknown[]): unknown => ({ type: 'assistant', message: { id: 'long', content } });

  it('[CO560] a message of very many parts is shown in part, and says how much is left out', () => {
    const parts = Array.from({ length: 100_000 }, (_, n) => (n % 2 ? text('a') : call(`t${n}`, 'Bash')));
    const transcript = transcriptOf(reply(parts), answered('t0', 'done'), said(text('after')));
    const items = itemsOf(transcript);
    expect(items).toHaveLength(202);
    expect(items[200]).toMatchObject({ text: '99,800 more parts of this message are not shown' });
    expect(callIn(transcript, 't0').state).toBe('done');
    expect(items[201]).toMatchObject({ text: 'after' });
  });

  it('[CO560] a call that a message names twice is shown once', () => {
    expect(itemsOf(transcriptOf(reply([call('t1', 'Bash'), call('t1', 'Bash')])))).toHaveLength(1);
  });

  it('[CO561] sub-agents of sub-agents without end are shown in a thread that is not too deep', () => {
    const messages = Array.from({ length: 2000 }, (_, n) =>
      said(call(`t${n}`, 'Task'), `m${n}`, n === 0 ? null : `t${n - 1}`),
    );
    const transcript = transcriptOf(...messages, answered('t1999', 'done'));
    const depthOf = (list: readonly Item[]): number =>
      1 + Math.max(0, ...list.map((item) => (item.kind === 'call' ? depthOf(item.children) : 0)));
    expect(depthOf(itemsOf(transcript))).toBeLessThan(20);
    expect(callIn(transcript, 't1999').state).toBe('done');
  });
});
