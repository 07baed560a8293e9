import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpCallResult } from '../../src/mcp/mcp-connection.ts';
import { MAX_IMAGES, toolResultOf } from '../../src/mcp/mcp-content.ts';
import type { McpProgress } from '../../src/mcp/mcp-offers.ts';
import { EVERYTHING, nodeServer, oddServer, openServers, textOf } from './mcp-bench.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('the answer of an MCP tool', () => {
  it('[MC6] reaches the model as text, images and words about the rest', async () => {
    const { run } = await openServers({ everything: nodeServer(EVERYTHING) });
    expect(await run('mcp__everything__get-tiny-image')).toMatchObject({
      content: [{ type: 'text' }, { type: 'image', source: { media_type: 'image/png' } }, { type: 'text' }],
    });
    expect(await run('mcp__everything__get-structured-content', { location: 'Chicago' })).toEqual({
      content: [{ type: 'text', text: expect.stringMatching(/^\{"temperature":36,/) }],
      structured: {
        content: expect.anything(),
        structuredContent: expect.objectContaining({ temperature: 36 }),
      },
    });
    const reference = { resourceType: 'Text', resourceId: 1 };
    const { content } = await run('mcp__everything__get-resource-reference', reference);
    expect(content).toContainEqual({
      type: 'text',
      text: expect.stringMatching(/^\[Resource from everything at demo:.*\] Resource 1: /),
    });
    const links = await run('mcp__everything__get-resource-links', { count: 1 });
    expect(links.content).toContainEqual({
      type: 'text',
      text: expect.stringMatching(/^\[Resource link: .+\] demo:/),
    });
    expect(await run('mcp__everything__echo', {})).toMatchObject({ isError: true });
  });

  it('[MC6] holds nothing that the Messages API would refuse', () => {
    const shown = (result: McpCallResult) => toolResultOf(result, 'lab', 1000).content;
    const image = { type: 'image', data: PIXEL, mimeType: 'image/jpeg' };
    expect(
      shown({ content: [image, { ...image, data: 'bm9uZQ==' }, { ...image, data: `${PIXEL}!` }] }),
    ).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      { type: 'text', text: '[Image from lab that cannot be shown: image/jpeg, 4 bytes]' },
      { type: 'text', text: expect.stringContaining('cannot be shown') },
    ]);
    expect(shown({ content: [{ type: 'text', text: ' ' }] })).toEqual([
      { type: 'text', text: '(no output)' },
    ]);
    expect(
      shown({
        content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }, { type: 'future', x: 1 }, 7],
      }),
    ).toEqual([
      { type: 'text', text: '[Audio from lab that cannot be shown: audio/wav, 3 bytes]' },
      { type: 'text', text: '{"type":"future","x":1}' },
      { type: 'text', text: '7' },
    ]);
    const many = shown({ content: Array.from({ length: MAX_IMAGES + 2 }, () => image) });
    expect(many).toHaveLength(MAX_IMAGES + 1);
    expect(many.at(-1)).toEqual({ type: 'text', text: '[2 more images are not shown.]' });
  });

  it('[MC530] has no more images, and no longer structure, than a line to the host and a request can take', () => {
    const data = Buffer.concat([Buffer.from(PIXEL, 'base64').subarray(0, 64), Buffer.alloc(2_400_000)]);
    const image = { type: 'image', mimeType: 'image/png', data: data.toString('base64') };
    const heavy = toolResultOf({ content: Array.from({ length: 12 }, () => image) }, 'lab', 1000);
    expect(heavy.content.at(-1)).toEqual({ type: 'text', text: '[7 more images are not shown.]' });
    expect(JSON.stringify(heavy).length).toBeLessThan(LIMITS.lineBytes.most);
    const long = toolResultOf({ structuredContent: { text: 'x'.repeat(9_000_000) } }, 'lab', 1000);
    expect(JSON.stringify(long).length).toBeLessThan(100_000);
  });

  it('[MC7] is cut at MAX_MCP_OUTPUT_TOKENS, and says so', async () => {
    const env = { ...process.env, MAX_MCP_OUTPUT_TOKENS: '100' };
    const { run } = await openServers({ odd: oddServer('plain') }, { env });
    expect(await run('mcp__odd__big', { chars: 400 })).toMatchObject({
      content: [{ type: 'text', text: 'ä'.repeat(400) }],
    });
    expect(await run('mcp__odd__big', { chars: 401 })).toMatchObject({
      content: [
        { type: 'text', text: 'ä'.repeat(400) },
        { type: 'text', text: expect.stringMatching(/401 characters, and 400 .*MAX_MCP_OUTPUT_TOKENS=100/) },
      ],
    });
  });
});

describe('a call of an MCP tool', () => {
  it('[MC8] is cancelled at the server when the turn is interrupted; a late answer does no harm', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-mcp-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [STARTED_FILE, CANCELLED_FILE] = [join(folder, 'started'), join(folder, 'cancelled')];
    const { run, statusOf } = await openServers({
      odd: oddServer('plain', { STARTED_FILE, CANCELLED_FILE }),
    });
    const turn = new AbortController();
    const call = run('mcp__odd__slow', {}, turn.signal);
    const failed = expect(call).rejects.toThrow('The call to MCP server "odd" was stopped.');
    await until(() => existsSync(STARTED_FILE));
    turn.abort();
    await failed;
    await until(() => existsSync(CANCELLED_FILE));
    await expect(run('mcp__odd__fail', {}, turn.signal)).rejects.toThrow('was stopped');
    expect(textOf(await run('mcp__odd__noise'))).toBe('quiet again');
    expect(textOf(await run('mcp__odd__fail'))).toBe('it did not work');
    expect(statusOf('odd')).toMatchObject({ status: 'connected' });
  });

  it('[MC8] ends after MCP_TOOL_TIMEOUT without a sign of life', async () => {
    const { run } = await openServers(
      { odd: oddServer('plain', { STARTED_FILE: '/dev/null', CANCELLED_FILE: '/dev/null' }) },
      { env: { ...process.env, MCP_TOOL_TIMEOUT: '300' } },
    );
    await expect(run('mcp__odd__slow')).rejects.toThrow('did not answer within 300 ms (MCP_TOOL_TIMEOUT)');
  });

  it('[MC8] goes on for as long as progress comes, which is told', async () => {
    const told: McpProgress[] = [];
    const { run } = await openServers(
      { everything: nodeServer(EVERYTHING) },
      { env: { ...process.env, MCP_TOOL_TIMEOUT: '4000' }, onProgress: (progress) => told.push(progress) },
    );
    const tool = 'mcp__everything__trigger-long-running-operation';
    expect(textOf(await run(tool, { duration: 5, steps: 10 }))).toContain('completed');
    expect(told[0]).toEqual({ toolUseId: 'toolu_1', toolName: tool, progress: 1, total: 10 });
  });

  it('[MC13] sees the tools that a server has now, however often it announces them', async () => {
    let changes = 0;
    const { run, toolNames } = await openServers(
      { odd: oddServer('plain') },
      { onChange: () => (changes += 1) },
    );
    const before = toolNames().length;
    const changesBefore = changes;
    await run('mcp__odd__grow');
    await until(() => toolNames().length === before + 1);
    await run('mcp__odd__fail');
    expect(changes - changesBefore).toBeLessThan(500);
  });

  it('[MC16] may ask a person, and is told when nobody answers', async () => {
    const questions: unknown[] = [];
    const answers: unknown[] = [
      { action: 'accept', content: { name: 'Ada', check: true } },
      { action: 'odd' },
    ];
    const { run, toolNames } = await openServers(
      { everything: nodeServer(EVERYTHING) },
      {
        elicit: (question) => {
          questions.push(question);
          const answer = answers.shift();
          return answer === undefined ? Promise.reject(new Error('no')) : Promise.resolve(answer);
        },
      },
    );
    const tool = 'mcp__everything__trigger-elicitation-request';
    await until(() => toolNames().includes(tool));
    expect(JSON.stringify(await run(tool))).toContain('Name: Ada');
    expect(questions).toEqual([
      {
        mcp_server_name: 'everything',
        message: expect.any(String),
        mode: 'form',
        requested_schema: expect.objectContaining({ type: 'object' }),
      },
    ]);
    expect(textOf(await run(tool))).toMatch(/cancel/);
    expect(textOf(await run(tool))).toMatch(/cancel/);
    const silent = await openServers({ everything: nodeServer(EVERYTHING) });
    expect(silent.toolNames()).not.toContain(tool);
  });
});
