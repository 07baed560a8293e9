import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { answerTo, policyStage } from './policy-stage.ts';

const bash = (command: string) => ({ command });

describe('rules before people', () => {
  it('[AP1734] what a rule decides is answered with the question, in one commit, and names the rule', async () => {
    const { store, add, dial, asked, api } = await policyStage();
    const allow = await add('Bash(npm test:*)', 'allow');
    await add('Bash(rm:*)', 'deny');
    const agent = await dial('s');
    const commits: string[][] = [];
    const { commit } = store;
    Object.assign(store, {
      commit: (one: Parameters<typeof commit>[0]) => {
        commits.push((one.effects ?? []).map(({ kind }) => kind));
        return commit(one);
      },
    });
    await agent.ask('r1', bash('npm test -- one'));
    expect(await answerTo(agent, 'r1')).toBe('allow');
    await agent.ask('r2', bash('npm test && rm -rf /'));
    const { response } = await agent.hears((heard) => heard.response?.request_id === 'r2');
    expect(response.response).toEqual({
      behavior: 'deny',
      message: 'Denied by the rule Bash(rm:*) of the hub.',
    });
    const answering = commits.filter((kinds) => kinds.includes('open-permission'));
    expect(answering).toEqual([
      ['open-permission', 'answer-permission'],
      ['open-permission', 'answer-permission'],
    ]);
    const author = { by: 'hub', rule: 'Bash(npm test:*)', ruleId: allow.id };
    await until(async () => (await asked('s', 'r1'))?.isDelivered === true);
    expect(await asked('s', 'r1')).toMatchObject({
      state: 'answered',
      answer: { author, what: 'allow', response: { updatedInput: bash('npm test -- one') } },
    });
    const { body } = await api('GET', '/api/audit?session=s');
    expect(body.items.at(-1)).toMatchObject({
      author,
      what: 'allow',
      why: 'rule: allow Bash(npm test:*) everywhere',
    });
    // The record has each question, then its answer.
    const { entries } = await store.record.tail('s', 100);
    const control = entries.flatMap((entry) => {
      if (entry.kind !== 'line') return [];
      const { type = '' } = entry.line.head();
      return type.startsWith('control_re') && /"request_id":"r\d"/.test(entry.line.text()) ? [type] : [];
    });
    expect(control).toEqual(['control_request', 'control_response', 'control_request', 'control_response']);
    expect(agent.heard.filter(({ type }) => type === 'control_response')).toHaveLength(2);
  });

  it('[AP1735] deny beats ask beats allow, and no narrower rule undoes a wider one', async () => {
    const { add, dial, asked, store } = await policyStage();
    const folder = realpathSync(temporaryFolder());
    const agent = await dial('s', folder);
    await add('Bash(git push:*)', 'deny');
    await add('Bash(git commit:*)', 'ask');
    await add('Bash(git:*)', 'allow', { folder });
    await add('Bash(ls:*)', 'allow', { session: 's' });
    for (const [id, command] of [
      ['push', 'git push origin main'],
      ['status', 'git status'],
      ['both', 'git status && ls'],
      ['hidden', 'git status; sh -c "git push"'],
    ] as const)
      await agent.ask(id, bash(command));
    expect(await answerTo(agent, 'push')).toBe('deny');
    expect(await answerTo(agent, 'status')).toBe('allow');
    // Two rules of different scopes together cover a line.
    expect(await answerTo(agent, 'both')).toBe('allow');
    expect(await answerTo(agent, 'hidden')).toBe('deny');
    await agent.ask('commit', bash('git commit -m x'));
    await agent.ask('else', bash('npm publish'));
    await until(async () => (await store.permissions.countOpen()) === 2);
    expect((await asked('s', 'commit'))?.state).toBe('open');
    expect((await asked('s', 'else'))?.state).toBe('open');
  });

  it('[AP1736] questions, plans, forms and dialogs are never decided by a rule, nor what runs outside of its bounds', async () => {
    const { add, dial, store } = await policyStage();
    for (const tool of ['AskUserQuestion', 'ExitPlanMode', 'Odd', 'Bash']) await add(tool, 'allow');
    const agent = await dial('s');
    const say = async (id: string, request: object) =>
      agent.say({ type: 'control_request', request_id: id, request });
    const option = { label: 'A', description: '' };
    const questions = [{ question: 'Which?', header: 'W', options: [option, option], multiSelect: false }];
    await agent.ask('question', { questions }, 'AskUserQuestion');
    await agent.ask('plan', { plan: 'all of it' }, 'ExitPlanMode');
    await say('form', { subtype: 'elicitation', mcp_server_name: 'x', message: 'Name?' });
    await say('person', {
      subtype: 'can_use_tool',
      tool_name: 'Odd',
      input: {},
      requires_user_interaction: true,
    });
    await agent.ask('sandbox', { command: 'ls', dangerouslyDisableSandbox: true });
    const blocked = { subtype: 'can_use_tool', tool_name: 'Bash', input: bash('cat /etc/shadow') };
    await say('outside', { ...blocked, blocked_path: '/etc/shadow' });
    await agent.ask('plain');
    expect(await answerTo(agent, 'plain')).toBe('allow');
    await until(async () => (await store.permissions.countOpen()) === 6);
    expect(agent.heard.filter(({ type }) => type === 'control_response')).toHaveLength(1);
  });

  it('[AP1737] a folder is where the hub launched the agent: what an agent says of itself only makes rules stricter', async () => {
    const { add, dial, asked, store, hub, token } = await policyStage();
    const [open, strict] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
    await add('Bash(make:*)', 'allow', { folder: open });
    await add('Bash(curl:*)', 'deny', { folder: strict });
    const inside = await dial('launched', join(open));
    await inside.ask('r1', bash('make all'));
    expect(await answerTo(inside, 'r1')).toBe('allow');
    const claims = async (agent: typeof inside, cwd: string) =>
      agent.say({ type: 'system', subtype: 'init', session_id: 'a', cwd, uuid: crypto.randomUUID() });
    // One that came by itself says that it is where more is allowed.
    const liar = await dial('came');
    await claims(liar, open);
    await until(async () => (await store.sessions.get('came'))?.folder === open);
    await liar.ask('r1', bash('make all'));
    await until(async () => (await asked('came', 'r1')) !== undefined);
    expect((await asked('came', 'r1'))?.state).toBe('open');
    // So does one that was launched somewhere else.
    const elsewhere = await dial('elsewhere', realpathSync(temporaryFolder()));
    await claims(elsewhere, open);
    await until(async () => (await store.sessions.get('elsewhere'))?.folder === open);
    await elsewhere.ask('r1', bash('make all'));
    await until(async () => (await asked('elsewhere', 'r1')) !== undefined);
    expect((await asked('elsewhere', 'r1'))?.state).toBe('open');
    await claims(liar, strict);
    await until(async () => (await store.sessions.get('came'))?.folder === strict);
    await liar.ask('r2', bash('curl evil.example'));
    expect(await answerTo(liar, 'r2')).toBe('deny');
    // A worktree is of the folder that was named.
    const worktree = realpathSync(temporaryFolder());
    await store.sessions.create('tree', { folder: worktree });
    const spec = { agent: 'claude', folder: worktree, origin: open } as const;
    await store.launches.keep('tree', { spec, device: '' });
    const inTree = await TestAgent.dial(`${hub.url}/ws/tree`, token);
    await inTree.ask('r1', bash('make all'));
    expect(await answerTo(inTree, 'r1')).toBe('allow');
    // A custom command may lead anywhere, and so may an agent of config.json.
    for (const name of ['custom', 'of-config']) {
      const anywhere = await dial(name, open, undefined, name);
      await anywhere.ask('r1', bash('make all'));
      await until(async () => (await asked(name, 'r1')) !== undefined);
      expect((await asked(name, 'r1'))?.state).toBe('open');
    }
  });

  it('[AP1738] a path is what it leads to: by links, from the session’s folder, and never where the agent just is', async () => {
    const { add, dial, asked, store } = await policyStage();
    const folder = realpathSync(temporaryFolder());
    const secret = realpathSync(temporaryFolder());
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'a.ts'), '');
    writeFileSync(join(secret, 'key'), '');
    symlinkSync(join(secret, 'key'), join(folder, 'src', 'link.ts'));
    await add('Edit(./src/**)', 'allow');
    await add('Read(~/.ssh/**)', 'deny');
    await add(`Read(/${secret}/**)`, 'deny', { folder });
    const agent = await dial('s', folder, { HOME: secret });
    const edit = (file_path: string) => ({ file_path, old_string: 'a', new_string: 'b' });
    await agent.ask('inside', edit(join(folder, 'src', 'a.ts')), 'Edit');
    expect(await answerTo(agent, 'inside')).toBe('allow');
    await agent.ask('new', { file_path: join(folder, 'src', 'new', 'b.ts'), content: '' }, 'Write');
    expect(await answerTo(agent, 'new')).toBe('allow');
    await agent.ask('link', edit(join(folder, 'src', 'link.ts')), 'Edit');
    expect(await answerTo(agent, 'link')).toBe('deny');
    await agent.ask('home', { file_path: join(secret, '.ssh', 'id') }, 'Read');
    expect(await answerTo(agent, 'home')).toBe('deny');
    await agent.ask('climbs', edit(join(folder, 'src', '..', 'b.ts')), 'Edit');
    await agent.ask('relative', edit('src/a.ts'), 'Edit');
    const far = await dial('far');
    await far.ask('inside', edit(join(folder, 'src', 'a.ts')), 'Edit');
    await until(async () => (await store.permissions.countOpen()) === 3);
    expect((await asked('far', 'inside'))?.state).toBe('open');
  });

  it('[AP1739] a new rule answers what waits, and a removed one leaves the next call to people', async () => {
    const { add, dial, asked, api } = await policyStage();
    const agent = await dial('s');
    await agent.ask('r1', bash('npm test'));
    await until(async () => (await asked('s', 'r1'))?.state === 'open');
    const rule = await add('Bash(npm test:*)', 'allow');
    expect(await answerTo(agent, 'r1')).toBe('allow');
    await until(async () => (await asked('s', 'r1'))?.answer?.author !== undefined);
    expect((await asked('s', 'r1'))?.answer?.author).toMatchObject({ ruleId: rule.id });
    expect((await api('DELETE', `/api/rules/${rule.id}`)).status).toBe(200);
    expect(await api('DELETE', `/api/rules/${rule.id}`)).toMatchObject({ status: 404 });
    await agent.ask('r2', bash('npm test'));
    await until(async () => (await asked('s', 'r2')) !== undefined);
    expect((await asked('s', 'r2'))?.state).toBe('open');
    const { body } = await api('GET', '/api/audit');
    const said = body.items.map(
      ({ what, subject }: { what: string; subject: string }) => `${what}: ${subject}`,
    );
    expect(said).toContain('add rule: allow Bash(npm test:*) everywhere');
    expect(said).toContain('remove rule: allow Bash(npm test:*) everywhere');
  });

  it('[AP1740] reading rules takes watch, writing them admin: whoever approves calls cannot widen what others are asked', async () => {
    const { store, api, add } = await policyStage();
    const { id } = await add('Read', 'allow');
    const body = { rule: 'Bash', behavior: 'allow' };
    for (const scope of ['approve', 'drive'] as const) {
      const token = await tokenFor(store, { scope });
      expect((await api('POST', '/api/rules', body, token)).body.code).toBe('FORBIDDEN');
      expect((await api('DELETE', `/api/rules/${id}`, undefined, token)).body.code).toBe('FORBIDDEN');
      expect((await api('POST', '/api/rules/test', body, token)).status).toBe(200);
    }
    const watcher = await tokenFor(store, { scope: 'watch' });
    expect((await api('GET', '/api/rules', undefined, watcher)).body.items).toHaveLength(1);
    // What was asked in all sessions, and what would be allowed, is nothing for whoever has one of them: agents neither.
    await store.sessions.create('s', {});
    const guest = await tokenFor(store, { scope: 'admin', session: 's' });
    for (const [method, path, sent] of [
      ['GET', '/api/rules', undefined],
      ['GET', '/api/rules/suggestions', undefined],
      ['POST', '/api/rules/test', body],
      ['POST', '/api/rules', body],
    ] as const)
      expect((await api(method, path, sent, guest)).body.code).toBe('FORBIDDEN');
  });
});
