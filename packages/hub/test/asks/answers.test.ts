import { createRequire } from 'node:module';
import { tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { driveSession } from '../api/driven-session.ts';

const QUESTIONS = [
  {
    question: 'Which way?',
    header: 'Way',
    options: [
      { label: 'Left', description: 'a' },
      { label: 'Right', description: 'b' },
    ],
  },
  {
    question: 'What with?',
    header: 'With',
    multiSelect: true,
    options: [
      { label: 'Milk', description: 'a' },
      { label: 'Sugar', description: 'b' },
    ],
  },
];

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

describe('answers to the real agent', () => {
  it('[AP1] a question takes its own options, or words marked as such; what does not fit is refused, and it stays open', async () => {
    const session = await driveSession();
    await session.prompt(`call AskUserQuestion ${JSON.stringify({ questions: QUESTIONS })}`);
    const { requestId } = await session.asked();
    const misfits = [
      [{}, 'is not answered'],
      [{ answers: { 'Which way?': 'Left' } }, '"What with?" is not answered'],
      [{ answers: { 'Which road?': 'Left' } }, 'no question "Which road?"'],
      [{ answers: { 'Which way?': 'Up', 'What with?': ['Milk'] } }, 'no option "Up"'],
      [{ answers: { 'Which way?': ['Left', 'Right'], 'What with?': ['Milk'] } }, 'takes one answer'],
      [{ answers: { 'Which way?': 'Left', 'What with?': 'Milk' }, mode: 'plan' }, 'mode is no part'],
    ] as const;
    for (const [answer, problem] of misfits) {
      expect(await session.answer(requestId, { behavior: 'allow', ...answer })).toMatchObject({
        status: 422,
        body: { code: 'ASK_ANSWER_INVALID', detail: expect.stringContaining(problem) },
      });
    }
    expect((await session.asked()).requestId).toBe(requestId);
    const chosen = await session.answer(requestId, {
      behavior: 'allow',
      answers: { 'Which way?': 'Right', 'What with?': ['Milk', 'Sugar'] },
      other: { 'What with?': 'a spoon' },
    });
    expect(chosen.body).toMatchObject({ isFirst: true });
    expect(await session.result(1)).toMatch(/Right.*Milk, Sugar, a spoon/);
  });

  it('[AP2] a plan is sent back with what to change, then approved with the mode to go on in', async () => {
    const session = await driveSession(['--permission-mode', 'plan']);
    const approver = await tokenFor(session.store, { scope: 'approve' });
    const present = 'call ExitPlanMode {"plan":"first this, then that"}';
    await session.prompt(present);
    const first = await session.asked();
    expect(first.request).toMatchObject({
      tool_name: 'ExitPlanMode',
      input: { plan: 'first this, then that' },
    });
    await session.answer(first.requestId, { behavior: 'deny', message: 'the other way round' }, approver);
    expect(await session.result(1)).toContain('the other way round');
    await session.prompt(present);
    const second = await session.asked();
    const approval = { behavior: 'allow', mode: 'acceptEdits', why: 'looks right' };
    expect(await session.answer(second.requestId, approval, approver)).toMatchObject({
      status: 403,
      body: { code: 'ASK_CHANGE_FORBIDDEN' },
    });
    expect((await session.answer(second.requestId, approval)).status).toBe(200);
    expect(await session.result(2)).toContain('approved your plan');
    await session.prompt('say on');
    await session.result(3);
    await until(async () => (await session.store.sessions.get('s'))?.mode === 'acceptEdits');
    const { items } = (await session.call('GET', '/api/audit?session=s')).body;
    expect(items).toContainEqual(
      expect.objectContaining({
        subject: second.requestId,
        author: expect.objectContaining({ by: 'person', name: 'Ada', device: 'laptop' }),
        what: 'allow in mode acceptEdits',
        why: 'looks right',
      }),
    );
  });

  it('[AP3] what a sub-agent asks says which one, and which call started it', async () => {
    const session = await driveSession();
    const task = { description: 'count things', subagent_type: 'general-purpose', prompt: 'run mkdir x' };
    await session.prompt('run mkdir y');
    const own = await session.asked();
    expect(own.parent).toBeNull();
    await session.answer(own.requestId, { behavior: 'deny' });
    await session.result(1);
    await session.prompt(`call Task ${JSON.stringify(task)}`);
    const { requestId, request, parent } = await session.asked();
    expect(request.agent_id).toEqual(expect.any(String));
    expect(parent).toMatchObject({
      agentId: request.agent_id,
      agentType: 'general-purpose',
      description: 'count things',
    });
    const { entries } = (await session.call('GET', '/api/sessions/s/events')).body;
    const calls = JSON.stringify(entries.map(({ message }: { message: unknown }) => message));
    expect(calls).toContain(`"id":"${parent.toolUseId}","name":"Task"`);
    await session.answer(requestId, { behavior: 'deny' });
    await session.result(2);
  });

  it('[AP4] a form of an MCP server is filled in by a person, and checked first', async () => {
    const servers = { every: { command: process.execPath, args: [EVERYTHING, 'stdio'] } };
    const session = await driveSession([
      '--mcp-config',
      JSON.stringify({ mcpServers: servers }),
      '--dangerously-skip-permissions',
    ]);
    await session.prompt('call mcp__every__trigger-elicitation-request {}');
    const { requestId, request } = await session.asked();
    expect(request).toMatchObject({ subtype: 'elicitation', mcp_server_name: 'every' });
    for (const content of [{}, { name: 7 }, { name: 'Zoe', nonsense: 1 }]) {
      expect(await session.answer(requestId, { behavior: 'allow', content })).toMatchObject({
        status: 422,
        body: { code: 'ASK_ANSWER_INVALID' },
      });
    }
    await session.answer(requestId, { behavior: 'allow', content: { name: 'Zoe', check: true } });
    expect(await session.result(1)).toContain('Zoe');
    await session.prompt('call mcp__every__trigger-elicitation-request {}');
    await session.answer((await session.asked()).requestId, { behavior: 'deny' });
    expect(await session.result(2)).toMatch(/declined/);
  });
});
