import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openMemoryStore } from '@signalbox/hub/store';
import { temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { REPLY_TOKENS, REPLY_USD, spendStage } from './spend-stage.ts';

describe('budgets', () => {
  it('[AP1957] a budget that is near is said once; one that is reached stops the turn after its reply, and prompts wait', async () => {
    const { add, dial, prompt, session, notes, api } = await spendStage();
    const agent = await dial('s');
    const budget = await add({ session: 's', usd: 5 * REPLY_USD });
    await prompt('s', 'one');
    await agent.hasPrompt(1);
    for (let at = 0; at < 3; at += 1) await agent.reply();
    await until(async () => (await api('GET', '/api/budgets')).body.items[0].spent.usd > 2.9 * REPLY_USD);
    expect(await notes('s')).toEqual([]);
    await agent.reply();
    await until(async () => (await session('s')).budget?.state === 'near');
    expect(agent.interrupts).toBe(0);
    await agent.reply();
    await agent.obey(1);
    const held = await until(async () => {
      const { budget: standing, state } = await session('s');
      return standing?.state === 'reached' && state === 'idle' ? standing : undefined;
    });
    expect(held.message).toMatch(
      /^The budget of this session, \$2\.00 in total: \$2\.00 of \$2\.00 spent\. Prompts wait\. To go on, raise it \(signalbox budgets raise \w{8}\), allow one more turn \(signalbox budgets allow\), or remove it\.$/,
    );
    // What comes then waits, and is not lost.
    const { status, body } = await prompt('s', 'two');
    expect([status, body.state]).toEqual([201, 'waiting']);
    expect(agent.prompts).toEqual(['one']);
    expect(
      (await notes('s')).map(({ state, budget: id }: { state: string; budget: string }) => [state, id]),
    ).toEqual([
      ['near', budget.id],
      ['reached', budget.id],
    ]);
    expect(agent.interrupts).toBe(1);
    // Raised, it lets the prompt go.
    const raised = await api('PATCH', `/api/budgets/${budget.id}`, { usd: 100 });
    expect(raised.body).toMatchObject({ usd: 100, state: 'open' });
    await agent.hasPrompt(2);
    await until(async () => (await session('s')).budget === null);
    const { body: log } = await api('GET', '/api/audit');
    expect(
      log.items.map(({ what }: { what: string }) => what).filter((what: string) => /budget/.test(what)),
    ).toEqual(expect.arrayContaining(['add budget', 'change budget']));
  });

  it('[AP1958] one more turn can be allowed, and is one turn', async () => {
    const { add, dial, prompt, session, notes, api } = await spendStage();
    const agent = await dial('s');
    await add({ session: 's', tokens: REPLY_TOKENS });
    expect((await api('POST', '/api/sessions/s/allow-turn', {})).body.code).toBe('BUDGET_NOT_REACHED');
    await prompt('s', 'one');
    await agent.hasPrompt(1);
    await agent.reply();
    await agent.obey(1);
    await until(async () => (await session('s')).state === 'idle');
    await prompt('s', 'two');
    await prompt('s', 'three');
    expect((await api('POST', '/api/sessions/s/allow-turn', {})).status).toBe(200);
    await agent.hasPrompt(2);
    await agent.reply();
    await agent.reply();
    await agent.result();
    await until(async () => (await session('s')).state === 'idle');
    expect(agent.interrupts).toBe(1);
    expect(agent.prompts).toEqual(['one', 'two']);
    expect((await notes('s')).map(({ state }: { state: string }) => state)).toEqual(['reached', 'allowed']);
    const { body } = await api('GET', '/api/audit?session=s');
    expect(body.items[0]).toMatchObject({ what: 'allow turn beyond budget', author: { name: 'Ada' } });
  });

  it('[AP1959] of several budgets the strictest counts; one of a folder or of the hub holds all agents there, per day', async () => {
    const { add, dial, prompt, session, api } = await spendStage();
    const folder = realpathSync(temporaryFolder());
    mkdirSync(join(folder, 'below'));
    const inside = await dial('in', folder);
    const below = await dial('below', join(folder, 'below'));
    const beside = await dial('beside', realpathSync(temporaryFolder()));
    const own = await add({ folder, usd: 2 * REPLY_USD });
    await add({ folder, usd: 100, per: 'total' });
    await add({ usd: 3 * REPLY_USD });
    expect(own).toMatchObject({ per: 'day', folder, state: 'open' });
    for (const [id, agent] of [
      ['in', inside],
      ['below', below],
    ] as const) {
      await prompt(id, 'go');
      await agent.hasPrompt(1);
      await agent.reply();
      if (id === 'in') await agent.result();
    }
    await below.obey(1);
    await until(async () => (await session('in')).budget?.state === 'reached');
    expect((await session('in')).budget.message).toContain(`the folder ${folder}`.slice(1));
    expect((await api('GET', '/api/budgets?session=beside')).body.items).toHaveLength(1);
    await prompt('beside', 'go');
    await beside.hasPrompt(1);
    await beside.reply();
    await beside.obey(1);
    await until(async () => (await session('beside')).budget?.message.includes('this hub'));
  });

  it('[AP2502] an agent neither switches a budget off by the name of a model, nor gives back what others have spent', async () => {
    const { store, api, add, dial, prompt } = await spendStage();
    const folder = temporaryFolder();
    const [inFolder, inAll] = [await add({ usd: 50, folder }), await add({ usd: 100_000 })];
    const spent = async ({ id }: { id: string }) => {
      const { items } = (await api('GET', '/api/budgets')).body;
      return items.find((one: { id: string }) => one.id === id).spent.usd;
    };
    const honest = await dial('honest', folder);
    await prompt('honest', 'go');
    await honest.hasPrompt(1);
    await honest.reply();
    await until(async () => (await spent(inFolder)) > 0);
    const { agent } = await dial('odd');
    const use = { costUSD: 7, inputTokens: 1 };
    await agent.say({ type: 'result', uuid: 'r1', modelUsage: { toString: use, constructor: use } });
    const isBack = async () => Math.abs((await spent(inAll)) - 14 - REPLY_USD) < 0.01;
    await until(isBack);
    // A turn that began elsewhere, and ends in the folder with less than was counted.
    await agent.say({ type: 'system', subtype: 'init', session_id: 'a', cwd: '/elsewhere' });
    const message = { id: 'm', model: 'claude-opus-5-5', usage: { input_tokens: 1e9 }, content: [] };
    await agent.say({ type: 'assistant', message });
    await until(async () => (await spent(inAll)) > 1000);
    await agent.say({ type: 'system', subtype: 'init', session_id: 'a', cwd: folder });
    await until(async () => (await store.sessions.get('odd'))?.folder === folder);
    await agent.say({ type: 'result', uuid: 'r2', modelUsage: { toString: use, constructor: use } });
    await until(isBack);
    expect(await spent(inFolder)).toBe(REPLY_USD);
  });

  it('[AP1960] what is no budget is refused in words', async () => {
    const { api, dial } = await spendStage();
    await dial('s');
    for (const [body, words] of [
      [{}, 'usd, tokens or both'],
      [{ usd: 0 }, 'more than 0'],
      [{ usd: -1 }, 'more than 0'],
      [{ usd: 'ten' }, 'a number'],
      [{ tokens: 1.5 }, 'whole number'],
      [{ usd: 1e9 }, ''],
      [{ usd: 1, session: 's', folder: '/' }, 'not for both'],
      [{ usd: 1, session: 's', per: 'day' }, 'for all of it'],
      [{ usd: 1, per: 'week' }, ''],
      [{ usd: 1, share: 0.5 }, ''],
    ] as const) {
      const answer = await api('POST', '/api/budgets', body);
      expect([answer.status, answer.body.code]).toEqual([400, 'REQUEST_INVALID']);
      expect(answer.body.detail).toContain(words);
    }
    expect((await api('POST', '/api/budgets', { usd: 1, folder: '/no/such' })).body.code).toBe(
      'FOLDER_NOT_FOUND',
    );
    expect((await api('POST', '/api/budgets', { usd: 1, session: 'no' })).body.code).toBe(
      'STORE_SESSION_NOT_FOUND',
    );
    expect((await api('PATCH', '/api/budgets/no', { usd: 1 })).body.code).toBe('STORE_NOT_FOUND');
    const { body } = await api('POST', '/api/budgets', { usd: 1 });
    expect((await api('PATCH', `/api/budgets/${body.id}`, { usd: null })).body.code).toBe('BUDGET_EMPTY');
  });

  it('[AP1961] budgets and spend are read with watch, budgets changed with admin; a token of one session learns of that alone', async () => {
    const { api, store, add, dial } = await spendStage();
    await dial('s');
    await dial('other');
    const { id } = await add({ usd: 1 });
    const drive = await tokenFor(store, { scope: 'drive' });
    const one = await tokenFor(store, { scope: 'watch', session: 's' });
    expect((await api('GET', '/api/budgets', undefined, drive)).body.items).toHaveLength(1);
    for (const [method, path, body] of [
      ['POST', '/api/budgets', { usd: 5 }],
      ['PATCH', `/api/budgets/${id}`, { usd: 5 }],
      ['DELETE', `/api/budgets/${id}`, undefined],
      ['POST', '/api/sessions/s/allow-turn', {}],
    ] as const)
      expect((await api(method, path, body, drive)).status).toBe(403);
    expect((await api('GET', '/api/budgets', undefined, one)).status).toBe(403);
    expect((await api('GET', '/api/budgets?session=s', undefined, one)).body.items).toHaveLength(1);
    expect((await api('GET', '/api/spend', undefined, one)).status).toBe(200);
    expect((await api('GET', '/api/spend?session=other', undefined, one)).status).toBe(403);
    expect((await api('DELETE', `/api/budgets/${id}`)).body.id).toBe(id);
  });

  it('[AP1962] spend is told by day, model, folder, person and session, and is there after a restart and without its session', async () => {
    const store = await openMemoryStore();
    const first = await spendStage({ store });
    const folder = realpathSync(temporaryFolder());
    const agent = await first.dial('s', folder);
    await first.add({ folder, usd: 10 });
    const eve = await tokenFor(store, { person: 'Eve' });
    for (const [at, who] of [first.token, eve].entries()) {
      await first.prompt('s', 'go', who);
      await agent.hasPrompt(at + 1);
      await agent.reply();
      await agent.result();
    }
    const report = async (stage: typeof first, query: string) =>
      (await stage.api('GET', `/api/spend?${query}`)).body;
    await until(async () => (await report(first, 'by=day')).total.turns === 2);
    await agent.agent.transport.close();
    await first.hub.close();
    const second = await spendStage({ store });
    const [today] = (await report(second, 'by=day')).items;
    expect(today).toMatchObject({ usd: 2 * REPLY_USD, input: 2 * REPLY_TOKENS, turns: 2 });
    const keys = async (by: string) =>
      (await report(second, `by=${by}`)).items.map(({ key, usd }: { key: string; usd: number }) => [
        key,
        usd,
      ]);
    expect(await keys('model')).toEqual([['claude-opus-5-5', 2 * REPLY_USD]]);
    expect(await keys('folder')).toEqual([[folder, 2 * REPLY_USD]]);
    expect(await keys('person')).toEqual([
      ['Ada', REPLY_USD],
      ['Eve', REPLY_USD],
    ]);
    expect((await second.api('GET', '/api/budgets')).body.items[0].spent.usd).toBeCloseTo(2 * REPLY_USD, 6);
    expect((await report(second, 'by=session')).items[0]).toMatchObject({ key: 's', title: 'go' });
    expect((await report(second, 'since=0&until=1000')).items).toEqual([]);
    expect((await second.api('GET', '/api/spend?by=colour')).status).toBe(400);
    expect((await second.api('DELETE', '/api/sessions/s')).status).toBe(200);
    expect(await keys('session')).toEqual([['s', 2 * REPLY_USD]]);
  });

  it('[AP1963] a session that is imported, and one that is exported, spends nothing', async () => {
    const { dial, prompt, api, hub, token } = await spendStage();
    const agent = await dial('s');
    await prompt('s', 'go');
    await agent.hasPrompt(1);
    await agent.reply();
    await agent.result();
    await until(async () => (await api('GET', '/api/spend')).body.total.turns === 1);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' };
    const file = await (await fetch(`${hub.url}/api/sessions/s/export`, { headers })).text();
    const imported = await fetch(`${hub.url}/api/sessions/import?id=copy`, {
      method: 'POST',
      headers,
      body: file,
    });
    expect(imported.status).toBe(201);
    await api('GET', '/api/sessions/copy/events');
    expect((await api('GET', '/api/spend')).body.total).toMatchObject({ usd: REPLY_USD, turns: 1 });
  });
});
