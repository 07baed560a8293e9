import { realpathSync } from 'node:fs';
import { LIMITS } from '@signalbox/protocol';
import type { Author, RuleSuggestion } from '@signalbox/protocol/hub';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { answerTo, policyStage } from './policy-stage.ts';

const ADA: Author = { by: 'person', name: 'Ada', device: 'laptop' };

/** What was asked long ago, and what somebody answered: `allow`, `deny`, `allow with another input`, or nothing. */
async function remember(
  store: Store,
  session: string,
  calls: readonly (readonly [string, object, string | null])[],
): Promise<void> {
  for (const [at, [tool_name, input, what]] of calls.entries()) {
    const request = { subtype: 'can_use_tool', tool_name, input: { ...input } };
    const id = `${session}-${at}`;
    await store.permissions.open(session, id, request);
    if (what === null) await store.permissions.close(session, id, 'expired');
    else {
      const behavior = what.startsWith('allow') ? 'allow' : 'deny';
      await store.permissions.answer(session, id, { author: ADA, response: { behavior }, what, why: null });
    }
  }
}

const bash = (command: string, what: string | null) => ['Bash', { command }, what] as const;

describe('what a rule would have done', () => {
  it('[AP1741] a backtest counts and lists what a rule would have done to all that was asked, and names the denials', async () => {
    const { store, api } = await policyStage();
    const folder = realpathSync(temporaryFolder());
    await store.sessions.create('s', {});
    await store.sessions.create('t', {});
    await store.launches.keep('t', { spec: { agent: 'claude', folder }, device: '' });
    await remember(store, 's', [
      ...Array.from({ length: 120 }, (_, at) => bash(`npm test -- ${at}`, 'allow')),
      bash('npm test -- prod', 'deny'),
      bash('npm publish', 'deny'),
      bash('npm test && npm publish', 'deny'),
      bash(`np'm' te"st"`, null),
      bash('npm test -- changed', 'allow with another input'),
      ['Read', { file_path: '/x' }, 'allow'],
      ['AskUserQuestion', { questions: [] }, 'allow'],
    ]);
    await remember(store, 't', [['Edit', { file_path: `${folder}/src/a.ts` }, 'allow']]);
    const test = async (body: object) => (await api('POST', '/api/rules/test', body)).body;
    const allowed = await test({ rule: 'Bash(npm test:*)', behavior: 'allow' });
    expect(allowed).toMatchObject({
      all: { allowed: 122, denied: 3, changed: 1, unanswered: 1 },
      matched: { allowed: 120, denied: 1, changed: 1, unanswered: 1 },
      words: 'It would have allowed 123 calls and 1 of your 3 denials.',
      isCut: true,
    });
    expect(allowed.against).toMatchObject([
      { text: 'npm test -- changed', outcome: 'changed' },
      { text: 'npm test -- prod', outcome: 'denied', author: ADA, session: 's' },
    ]);
    expect(allowed.calls).toHaveLength(100);
    expect((await test({ rule: 'Bash(npm test -- 1:*)', behavior: 'allow' })).words).toBe(
      'It would have allowed 1 call and none of your 3 denials.',
    );
    const denied = await test({ rule: 'Bash(npm publish:*)', behavior: 'deny' });
    expect(denied.words).toBe('It would have denied 2 calls, none of which were allowed.');
    expect(denied.calls.map(({ text }: { text: string }) => text)).toEqual([
      'npm test && npm publish',
      'npm publish',
    ]);
    expect((await test({ rule: 'Edit(./src/**)', behavior: 'allow', folder })).matched.allowed).toBe(1);
    expect((await test({ rule: 'Edit(./src/**)', behavior: 'allow', session: 's' })).matched.allowed).toBe(0);
    expect((await test({ rule: 'Read', behavior: 'ask' })).words).toBe(
      'It would have left 1 call to people.',
    );
  });

  it('[AP1742] rules are proposed from what people allowed, and none that goes against a denial, alone or together', async () => {
    const { store, api, add } = await policyStage();
    const folder = realpathSync(temporaryFolder());
    for (const id of ['s', 't']) await store.sessions.create(id, {});
    await store.launches.keep('t', { spec: { agent: 'claude', folder }, device: '' });
    await remember(store, 's', [
      bash('npm test', 'allow'),
      bash('npm test -- a', 'allow'),
      bash('git status', 'allow'),
      bash('git status -s', 'allow'),
      bash('make all', 'allow'),
      bash('make docs', 'allow'),
      bash('make install', 'deny'),
    ]);
    await remember(store, 't', [
      bash('npm test', 'allow'),
      bash('npm test -- b', 'allow'),
      bash('make all', 'allow'),
      bash('ls -l', 'allow'),
      ...['a', 'b', 'c'].map((name) => ['Edit', { file_path: `${folder}/src/${name}` }, 'allow'] as const),
      bash('git status --porcelain', 'allow'),
      // Each of the two was fine, and together they were not.
      bash('npm test && git status', 'deny'),
      ...Array.from({ length: 3 }, (_, at) => bash(`cargo build -p ${at}`, 'allow')),
      bash('cargo build --release', 'allow with another input'),
    ]);
    const suggest = async (): Promise<RuleSuggestion[]> =>
      (await api('GET', '/api/rules/suggestions')).body.items;
    const rules = await suggest();
    const named = (all: RuleSuggestion[]) => all.map(({ rule, folder: where }) => [rule, where]);
    // Not `make`, of which something was denied, nor `cargo build`; and of two that were denied together the one with more behind it.
    expect(named(rules)).toEqual([
      ['Bash(npm test:*)', null],
      ['Edit(./src/**)', folder],
    ]);
    expect(rules[0]).toMatchObject({
      allowed: 4,
      sessions: 2,
      words: 'You have allowed 4 such calls in 2 sessions and denied none that it covers.',
    });
    await add('Bash(npm test:*)', 'allow');
    // Nor together with what is in force.
    expect(named(await suggest())).toEqual([['Edit(./src/**)', folder]]);
  });

  it('[AP3322] deny rules are proposed from what people denied, and none that goes against what was allowed', async () => {
    const { store, api, add } = await policyStage();
    const folder = realpathSync(temporaryFolder());
    for (const id of ['s', 't']) await store.sessions.create(id, {});
    await store.launches.keep('t', { spec: { agent: 'claude', folder }, device: '' });
    await remember(store, 's', [
      bash('git push origin main', 'deny'),
      bash('git push --force', 'deny'),
      bash('npm publish', 'deny'),
      bash('npm publish --tag next', 'deny'),
      bash('npm publish --dry-run', 'deny'),
      bash('npm publish --dry-run && ls', 'allow'),
      bash('curl example.com/a', 'deny'),
      bash('curl example.com/b', 'deny'),
    ]);
    await remember(store, 't', [
      bash('git push', 'deny'),
      bash('git push --tags', 'deny'),
      ...['a', 'b', 'c'].map((name) => ['Edit', { file_path: `${folder}/keys/${name}` }, 'deny'] as const),
      bash('git push origin next', 'allow with another input'),
    ]);
    const suggest = async (): Promise<RuleSuggestion[]> =>
      (await api('GET', '/api/rules/suggestions')).body.items;
    const rules = await suggest();
    // Not `npm publish`, which was allowed behind another command, and not what was denied twice.
    expect(rules.map(({ rule, behavior, folder: where }) => [behavior, rule, where])).toEqual([
      ['deny', 'Bash(git push:*)', null],
      ['deny', 'Edit(./keys/**)', folder],
    ]);
    expect(rules[0]).toMatchObject({
      allowed: 0,
      denied: 4,
      sessions: 2,
      words: 'You have denied 4 such calls in 2 sessions and allowed none that it covers.',
    });
    await add('Bash(git push:*)', 'deny');
    expect((await suggest()).map(({ rule }) => rule)).toEqual(['Edit(./keys/**)']);
  });

  it('[AP1743] the rule that is offered for a request that waits would answer it', async () => {
    const { store, api, dial, asked, add } = await policyStage();
    const folder = realpathSync(temporaryFolder());
    const agent = await dial('s', folder);
    await agent.ask('r1', { command: 'npm test -- x' });
    await agent.ask('r2', { command: 'npm test && $(echo rm)' });
    await agent.ask('r3', { file_path: 'relative.ts', content: '' }, 'Write');
    await until(async () => (await store.permissions.countOpen()) === 3);
    const offered = async (request: string) =>
      (await api('GET', `/api/rules/suggestions?session=s&request=${request}`)).body.items;
    expect(await offered('r1')).toMatchObject([{ rule: 'Bash(npm test -- x)', folder, session: null }]);
    expect(await offered('r2')).toEqual([]);
    expect(await offered('r3')).toEqual([]);
    await add('Bash(npm test -- x)', 'allow', { folder });
    expect(await answerTo(agent, 'r1')).toBe('allow');
    expect((await asked('s', 'r2'))?.state).toBe('open');
    expect((await api('GET', '/api/rules/suggestions?session=s&request=r9')).body.code).toBe('ASK_NOT_FOUND');
  });
});

describe('rules that are no good', () => {
  it('[AP1744] what cannot be read, could never match or has no effect is refused in words, and names the other rule', async () => {
    const { api, add, store } = await policyStage();
    await store.sessions.create('s', {});
    const refusal = async (rule: string, behavior = 'allow', scope: object = {}) => {
      const { status, body } = await api('POST', '/api/rules', { rule, behavior, ...scope });
      return { status, code: body.code, detail: body.detail };
    };
    for (const [rule, words] of [
      ['Bash(npm test', 'parenthesis is not closed|not of the form'],
      ['Bash()', 'empty parentheses'],
      ['two words', 'Tool or Tool'],
      ['Read(../x)', 'cannot contain ".."'],
      ['WebFetch(example.com)', 'domain:example.com'],
      ['mcp__*', 'names a tool, or an MCP server'],
      ['*', 'names a tool'],
      ['Read(/etc/**)', 'write //etc/.. for a path from the root'],
    ] as const)
      expect(await refusal(rule)).toEqual({
        status: 422,
        code: 'RULE_INVALID',
        detail: expect.stringMatching(words),
      });
    expect(await refusal(`Bash(${'x'.repeat(3000)})`)).toMatchObject({
      status: 400,
      code: 'REQUEST_INVALID',
    });
    expect(await refusal('Read', 'maybe')).toMatchObject({ status: 400, code: 'REQUEST_INVALID' });
    expect(await refusal('Read', 'allow', { folder: '/no/such/folder' })).toMatchObject({
      status: 422,
      code: 'FOLDER_NOT_FOUND',
    });
    expect(await refusal('Read', 'allow', { session: 'nobody' })).toMatchObject({
      status: 404,
      code: 'STORE_SESSION_NOT_FOUND',
    });
    const npm = await add('Bash(npm:*)', 'deny');
    for (const rule of ['Bash(npm:*)', 'Bash(npm test:*)', 'Bash(npm test)'])
      expect(await refusal(rule, 'allow', { session: 's' })).toEqual({
        status: 409,
        code: 'RULE_CONFLICT',
        detail: expect.stringContaining(`deny Bash(npm:*) everywhere (${npm.id}) is stronger`),
      });
    expect(await refusal('Bash(npm:*)', 'deny')).toMatchObject({ status: 409, code: 'RULE_CONFLICT' });
    await add('Bash(git log:*)', 'allow', { session: 's' });
    const { body } = await api('POST', '/api/rules', { rule: 'Bash(git:*)', behavior: 'ask' });
    expect(body.overrules).toMatchObject([{ rule: 'Bash(git log:*)', behavior: 'allow' }]);
  });

  it('[AP1745] ten thousand rules decide as one does, also after a restart; one more is refused', async () => {
    const store = await openMemoryStore();
    const effects = Array.from({ length: LIMITS.hubRules.most - 2 }, (_, at) => ({
      kind: 'create-rule' as const,
      rule: {
        id: `rule-${at}`,
        rule: `Bash(tool-${at}:*)`,
        behavior: at % 2 ? ('allow' as const) : ('deny' as const),
        folder: null,
        session: null,
        author: ADA,
        createdAt: at,
      },
    }));
    await store.commit({ effects });
    const { add, dial, api } = await policyStage({ store });
    await add('Bash(npm test:*)', 'allow');
    await add('Bash(npm run:*)', 'allow');
    await expect(add('Bash(npm ci:*)', 'allow')).rejects.toThrow('STORE_LIMIT');
    const agent = await dial('many');
    for (const [id, command, behavior] of [
      ['r1', 'npm test', 'allow'],
      ['r2', 'tool-5001 x', 'allow'],
      ['r3', 'tool-5001 x; tool-5000 y', 'deny'],
    ] as const) {
      await agent.ask(id, { command });
      expect(await answerTo(agent, id)).toBe(behavior);
    }
    const { body } = await api('GET', '/api/rules?after=9999');
    expect(body.items).toMatchObject([{ rule: 'Bash(npm run:*)' }]);
  });
});
