import type { JsonObject } from '@signalbox/protocol';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { Grants } from '../../src/sessions/asks/grants.ts';

const allow = (toolName: string, ruleContent: string): JsonObject => ({
  type: 'addRules',
  rules: [{ toolName, ruleContent }],
  behavior: 'allow',
  destination: 'localSettings',
});
const NPM_TEST = allow('Bash', 'npm test:*');
const EDITS = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };

/** An agent that asks these things, as r1, r2 and so on, and somebody who answers the first. */
async function answerFirst(asks: readonly [string, JsonObject, JsonObject[]][], answer: JsonObject) {
  const { hub, store, token } = await startTestHub();
  const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
  await agent.say({ type: 'system', subtype: 'init', session_id: 'a', cwd: '/work', uuid: 'u' });
  for (const [at, [tool_name, input, permission_suggestions]] of asks.entries()) {
    const request = { subtype: 'can_use_tool', tool_name, input, permission_suggestions };
    await agent.say({ type: 'control_request', request_id: `r${at + 1}`, request });
  }
  await until(async () => (await store.permissions.listOpen({})).items.length === asks.length);
  await call(hub.url, token, 'POST', '/api/sessions/s/permissions/r1/answer', answer);
  const answered = (request: string) => store.permissions.get('s', request);
  return { hub, store, token, agent, answered };
}

describe('what a grant settles beside the request it was given for', () => {
  it('[HB240] requests that wait and that the granted rules cover are answered, with the author and the rule', async () => {
    const { agent, store, answered } = await answerFirst(
      [
        ['Bash', { command: 'npm test' }, [NPM_TEST]],
        ['Bash', { command: 'npm test -- --watch' }, [NPM_TEST]],
        ['Bash', { command: 'npm test one && npm test two' }, [allow('Bash', 'npm test one:*')]],
        ['Bash', { command: 'npm test; rm -rf /' }, [NPM_TEST, allow('Bash', 'rm:*')]],
        ['Bash', { command: 'npm publish' }, [allow('Bash', 'npm publish:*')]],
        // A rule of the agent's asks: no grant changes that, and so it offers none.
        ['Bash', { command: 'npm test prod' }, []],
      ],
      { behavior: 'allow', updatedPermissions: [NPM_TEST] },
    );
    for (const request of ['r1', 'r2', 'r3'])
      await agent.hears(({ response }) => response?.request_id === request);
    for (const request of ['r4', 'r5', 'r6']) expect((await answered(request))?.state).toBe('open');
    expect((await answered('r2'))?.answer).toMatchObject({
      author: { by: 'person', name: 'Ada' },
      what: 'allow',
      why: expect.stringContaining('Bash(npm test:*)'),
    });
    // Each once, and the rule is kept once.
    const heard = agent.heard.filter(({ type }) => type === 'control_response');
    expect(heard.map(({ response }) => response.request_id)).toEqual(['r1', 'r2', 'r3']);
    expect(heard.filter(({ response }) => response.response.updatedPermissions)).toHaveLength(1);
    const { items } = await store.audit.list({ session: 's' });
    expect(items.filter(({ what, why }) => what === 'allow' && why?.includes('npm test'))).toHaveLength(2);
  });

  it('[HB240] a file is covered by what its agent offers, never by its name alone', async () => {
    const { agent, answered } = await answerFirst(
      [
        ['Read', { file_path: '/data/a' }, [allow('Read', '//data/**')]],
        ['Read', { file_path: '/data/link' }, [allow('Read', '//secret/**')]],
        ['Read', { file_path: '/data/b' }, [allow('Read', '//data/**')]],
      ],
      { behavior: 'allow', updatedPermissions: [allow('Read', '//data/**')] },
    );
    await agent.hears(({ response }) => response?.request_id === 'r3');
    expect((await answered('r2'))?.state).toBe('open');
  });

  it('[HB241] the mode that an answer or a request leads to is shown at once', async () => {
    const { hub, store, token, agent, answered } = await answerFirst(
      [
        ['Edit', { file_path: '/work/a' }, [EDITS]],
        ['Edit', { file_path: '/work/b' }, [EDITS]],
      ],
      { behavior: 'allow', updatedPermissions: [EDITS] },
    );
    expect((await call(hub.url, token, 'GET', '/api/sessions/s')).body.mode).toBe('acceptEdits');
    await until(async () => (await answered('r2'))?.state === 'answered');
    const asked = call(hub.url, token, 'POST', '/api/sessions/s/control', {
      subtype: 'set_permission_mode',
      mode: 'plan',
    });
    const { request_id: id } = await agent.hears(({ request }) => request?.subtype === 'set_permission_mode');
    await agent.say({
      type: 'control_response',
      response: { subtype: 'success', request_id: id, response: { mode: 'plan' } },
    });
    expect((await asked).status).toBe(200);
    expect((await store.sessions.get('s'))?.mode).toBe('plan');
  });

  it('[HB560] what was granted is read once, however many requests wait', () => {
    let reads = 0;
    const granted = Array.from({ length: 50 }, (_, n) => ({
      ...allow('Bash', ''),
      get rules() {
        reads += 1;
        return [{ ruleContent: `npm run ${n}:*`, toolName: 'Bash' }];
      },
    }));
    const grants = new Grants(granted, '/work');
    const readOnce = reads;
    const request = (command: string, offers: JsonObject[]) => ({
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command },
      permission_suggestions: offers,
    });
    for (let asked = 0; asked < 100; asked += 1) {
      const offers = Array.from({ length: 50 }, (_, n) => allow('Bash', `npm run ${49 - n}:*`));
      expect(grants.settling(request('npm publish', offers))).toBeDefined();
      expect(grants.settling(request('npm publish', [allow('Bash', 'npm publish')]))).toBeUndefined();
      expect(grants.settling(request('npm run 7 fast', [allow('Bash', 'npm run 7 fast')]))).toContain(
        'Bash(npm run 7:*)',
      );
    }
    expect(reads).toBe(readOnce);
    expect(readOnce).toBeLessThanOrEqual(4 * granted.length);
  });
});
