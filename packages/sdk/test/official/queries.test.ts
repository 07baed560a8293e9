import { expect, it } from 'vitest';
import * as ours from '../../src/index.ts';
import { fakeAgent, never } from '../fake-agent.ts';
import { INSTALL_TIMEOUT_MS, officialSdk } from './official-sdk.ts';

/** Each way to steer a query, with something to say. */
const CALLS: [name: keyof ours.Query, ...args: unknown[]][] = [
  ['setMcpPermissionModeOverride', 'server', 'auto'],
  ['setMcpPermissionModeOverride', 'server', null],
  ['setMaxThinkingTokens', 5],
  ['setMaxThinkingTokens', null, 'omitted'],
  ['updateSettings', 'localSettings', { model: 'm' }],
  ['usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET'],
  ['usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET', { skipBehaviors: true }],
  ['reloadPlugins'],
  [
    'reloadPlugins',
    { holdOnCacheImpact: true, addPlugins: [{ type: 'local', path: '/p' }], refuseIfBusy: true },
  ],
  ['reloadSkills'],
  ['reloadOutputStyles'],
  ['readMcpResource', 'server', 'file:///a'],
  ['seedReadState', '/a', 7],
  ['setPermissionMode', 'plan'],
  ['setModel', 'm'],
  ['applyFlagSettings', { model: 'm' }],
  ['mcpServerStatus'],
  ['reconnectMcpServer', 'server'],
  ['toggleMcpServer', 'server', true],
  ['getContextUsage', { detail: 'full' }],
  ['rewindFiles', 'id', { dryRun: true }],
  ['stopTask', 'task'],
];

async function spoken(sdk: typeof ours): Promise<{ requests: unknown[]; answers: unknown[] }> {
  const agent = await fakeAgent(
    'return { control_request: (said) => answer(said, { contents: [], mcpServers: [] }) };',
  );
  const query = sdk.query({ prompt: never(), options: agent.options() });
  await query.initializationResult();
  const answers: unknown[] = [];
  for (const [name, ...args] of CALLS) {
    const call: unknown = query[name];
    answers.push(typeof call === 'function' ? await call.apply(query, args) : 'no such method');
  }
  answers.push(await query.reinitialize());
  query.close();
  const requests = (await agent.log()).flatMap(({ heard }) => (heard?.request ? [heard.request] : []));
  return { requests: requests.filter(({ subtype }) => subtype !== 'initialize'), answers };
}

it('[SD665] a query is steered with the requests of the official package, and gives back the same answers', {
  timeout: INSTALL_TIMEOUT_MS,
}, async () => {
  const [mine, other] = await Promise.all([spoken(ours), spoken(await officialSdk())]);
  expect(mine).toEqual(other);
  expect(mine.requests).toHaveLength(CALLS.length);
});
