import { createMemoryPair } from '@signalbox/transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Chat, MAX_QUEUED_PROMPTS } from '../src/chat.ts';
import { PromptBox } from '../src/input/prompt-box.ts';
import { MAX_PASTE_CHARS } from '../src/terminal/key-decoder.ts';
import { textOf } from '../src/text/line.ts';
import { lineWidth } from '../src/text/wrap-line.ts';

/** A chat whose agent is this test. */
function openChat(absence: () => string | undefined = () => undefined) {
  const { left: near, right: far } = createMemoryPair();
  const chat = new Chat({
    transport: near,
    cwd: '/',
    title: 'test',
    history: undefined,
    absence,
    size: () => ({ columns: 80, rows: 24 }),
    onChange: () => {},
    onLeave: () => {},
  });
  const running = chat.run(undefined);
  onTestFinished(async () => {
    await near.close();
    await running;
  });
  const type = (text: string): void => chat.onKey({ chord: 'text', text });
  const enter = (): void => chat.onKey({ chord: 'enter', text: '' });
  const lines = (columns = 80, rows = 24) => chat.picture(columns, rows, Date.now()).live;
  return { chat, far, type, enter, lines };
}

describe('the live part', () => {
  it('[CH19] takes up to its limit of prompts, and gives back what is more', () => {
    const { type, enter, lines } = openChat();
    for (let index = 0; index <= MAX_QUEUED_PROMPTS; index++) {
      type(`prompt ${index}`);
      enter();
    }
    type('one too many');
    enter();
    const text = lines(120).map(textOf).join('\n');
    expect(text).toContain('next: prompt 1');
    expect(text).toContain(`… ${MAX_QUEUED_PROMPTS - 3} more`);
    expect(text).toContain('❯ one too many');
    expect(text).toContain(`${MAX_QUEUED_PROMPTS} prompts wait already`);
  });

  it('[CH27] tells its keys when the agent answers /help itself', async () => {
    const { chat, far, type, enter } = openChat();
    const heard: string[] = [];
    void (async () => {
      for await (const line of far.receive()) {
        const { request_id: id, request, message } = JSON.parse(line.text());
        if (message) heard.push(message.content);
        if (request?.subtype !== 'initialize') continue;
        const commands = [{ name: 'help', description: 'What the agent can do', argumentHint: '' }];
        const response = { subtype: 'success', request_id: id, response: { commands, models: [] } };
        await far.send(JSON.stringify({ type: 'control_response', response }));
      }
    })();
    type('/h');
    const shown = (): string => chat.picture(80, 24, Date.now()).live.map(textOf).join('\n');
    await expect.poll(shown).toContain('What the agent can do');
    type('elp');
    enter();
    await expect.poll(() => heard).toEqual(['/help']);
    const done = chat.picture(80, 24, Date.now()).done.map(textOf);
    expect(done.join('\n')).toContain('edit as in a shell');
  });

  it('[CH32] says why nothing is heard of the agent, in place of what it does', () => {
    let absence: string | undefined;
    const { chat, type, enter, lines } = openChat(() => absence);
    type('go');
    enter();
    expect(lines().map(textOf).join('\n')).toContain('Working');
    absence = 'The line is dead';
    expect(lines().map(textOf).join('\n')).toMatch(/^(?![^]*Working)[^]*! The line is dead/);
    absence = undefined;
    expect(chat.isMoving).toBe(true);
    expect(lines().map(textOf).join('\n')).toContain('Working');
  });

  it('[CH33] keeps what was typed into a question that is taken back, and the Enter that was meant for it sends nothing', async () => {
    const { far, type, enter, lines } = openChat();
    const screen = (): string => lines().map(textOf).join('\n');
    const request = {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command: 'ls' },
      tool_use_id: 't',
    };
    await far.send(JSON.stringify({ type: 'control_request', request_id: 'r', request }));
    await expect.poll(screen).toContain('Esc denies');
    type('2');
    type('not to');
    await far.send(JSON.stringify({ type: 'control_cancel_request', request_id: 'r' }));
    await expect.poll(screen).not.toContain('Allow Bash?');
    type('day');
    enter();
    expect(screen()).toContain('❯ not today');
    expect(screen()).toContain('Enter again sends it');
    enter();
    expect(screen()).not.toContain('❯ not today');
    expect(screen()).toContain('Working');
  });

  it('[CH26] is never higher or wider than the terminal, and shows the box in any that has room for it', async () => {
    const { chat, far, type, enter, lines } = openChat();
    type('go');
    enter();
    const event = (body: object): Promise<void> =>
      far.send(
        JSON.stringify({
          type: 'stream_event',
          event: body,
          parent_tool_use_id: null,
          uuid: 'u',
          session_id: 's',
        }),
      );
    const text = Array.from({ length: 300 }, (_, index) => `${index} 信号 `).join('\n');
    await event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    await event({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: `\`\`\`\n${text}` },
    });
    await expect.poll(() => lines().map(textOf).join('\n')).toContain('299 信号');
    type('my words');
    for (const rows of [1, 2, 3, 5, 10, 24, 60]) {
      for (const columns of [1, 5, 20, 80]) {
        const live = lines(columns, rows);
        expect(live.length).toBeLessThanOrEqual(rows);
        expect(live.filter((line) => lineWidth(line) > columns).map(textOf)).toEqual([]);
        if (rows > 2 && columns > 12) expect(live.map(textOf).join('\n')).toContain('❯ my words');
        const { cursor } = chat.picture(columns, rows, Date.now());
        if (cursor) expect(cursor.y).toBeLessThan(rows);
      }
    }
  });

  it('[CH866] keeps the box in sight above a status line of any height', async () => {
    const { chat, far, type, lines } = openChat();
    const text = Array.from({ length: 20 }, (_, index) => `status ${index} ${'信号'.repeat(60)}`).join('\n');
    void (async () => {
      for await (const line of far.receive()) {
        const { request_id: id, request } = JSON.parse(line.text());
        const isAsked = request?.subtype === 'run_status_line';
        const response = { subtype: 'success', request_id: id, response: isAsked ? { text } : {} };
        await far.send(JSON.stringify({ type: 'control_response', response }));
      }
    })();
    await expect.poll(() => lines().map(textOf).join('\n')).toContain('status 7');
    type('my words');
    for (const rows of [1, 2, 3, 5, 10, 24, 60]) {
      for (const columns of [20, 80]) {
        const live = lines(columns, rows);
        expect(live.length).toBeLessThanOrEqual(rows);
        expect(live.filter((line) => lineWidth(line) > columns).map(textOf)).toEqual([]);
        const below = live.filter((line) => textOf(line).includes('status')).length;
        expect(below).toBeLessThanOrEqual(rows / 3);
        expect(live.map(textOf).join('\n')).toContain('❯ my words');
        const { cursor } = chat.picture(columns, rows, Date.now());
        expect(cursor?.y).toBe(live.length - below - 1);
      }
    }
  });

  it('[CH14] refuses a paste that is no prompt any more, and says what to do', () => {
    const box = new PromptBox(undefined, { commands: () => [], files: () => Promise.resolve([]) }, () => {});
    const outcome = box.onKey({ chord: 'paste', text: 'x'.repeat(MAX_PASTE_CHARS + 1) });
    expect(outcome).toMatchObject({ name: 'refused', reason: expect.stringContaining('@') });
    expect(box.isEmpty).toBe(true);
    expect(box.onKey({ chord: 'paste', text: 'x'.repeat(MAX_PASTE_CHARS) })).toEqual({ name: 'edited' });
  });
});
