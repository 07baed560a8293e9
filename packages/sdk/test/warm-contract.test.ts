import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startScriptedModel } from '@signalbox/model';
import { INSTALL_TIMEOUT_MS, referenceCli, referenceEnv } from '@signalbox/testing/reference-cli';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OUR_AGENT } from '../../../conformance/program.ts';
import * as ours from '../src/index.ts';
import { collect, thrownBy } from './fake-agent.ts';
import { officialSdk } from './official/official-sdk.ts';
import { temporaryFolder } from './sessions/stored-session.ts';

let claude: string;
let official: typeof ours;

beforeAll(async () => {
  claude = await referenceCli('2.1.325');
  official = await officialSdk();
}, INSTALL_TIMEOUT_MS);

async function stage(executable: string): Promise<{ folder: string; options: ours.Options }> {
  const folder = await temporaryFolder();
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(() => model.close());
  const env = { ...referenceEnv(folder, model.url), CLAUDE_CONFIG_DIR: join(folder, 'config') };
  return { folder, options: { pathToClaudeCodeExecutable: executable, env, settingSources: [] } };
}

describe('agents that are started ahead', () => {
  it.each(['claude', 'signalbox-agent'])(
    '[SD663] %s answers a prompt that came after its start',
    async (name) => {
      const { folder, options } = await stage(name === 'claude' ? claude : OUR_AGENT);
      const warm = await ours.startup({ options: { ...options, cwd: folder } });
      expect(await ours.collectText(warm.query('say hello'))).toBe('hello');
    },
  );

  it.each([
    ['the official SDK', 'claude'],
    ['the official SDK', 'signalbox-agent'],
    ['ours', 'claude'],
    ['ours', 'signalbox-agent'],
  ])('[SD663] with %s %s becomes the session that it is claimed for', async (sdk, name) => {
    const { prewarm } = sdk === 'ours' ? ours : official;
    const { folder, options } = await stage(name === 'claude' ? claude : OUR_AGENT);
    await writeFile(join(folder, 'CLAUDE.md'), 'know this folder');
    const spare = await prewarm({ options });
    const query = spare.claim({
      prompt: 'say hello',
      options: {
        cwd: folder,
        permissionMode: 'plan',
        model: 'haiku',
        settings: { effortLevel: 'high', permissions: { deny: ['WebFetch'] } },
      },
    });
    const [claim, messages] = await Promise.all([spare.claimed, collect(query)]);
    expect(claim).toMatchObject({ cwd: await realpath(folder), sdkMcpSettled: true });
    expect(messages.find((said) => said.type === 'system' && said.subtype === 'init')).toMatchObject({
      cwd: claim.cwd,
      session_id: claim.sessionId,
      permissionMode: 'plan',
      model: expect.stringContaining('haiku'),
    });
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'hello' });
    await spare.exited;
  });

  it.each([
    ['the official SDK', 'claude'],
    ['the official SDK', 'signalbox-agent'],
    ['ours', 'claude'],
    ['ours', 'signalbox-agent'],
  ])('[SD663] with %s %s says that it cannot be the session', async (sdk, name) => {
    const { prewarm } = sdk === 'ours' ? ours : official;
    const { folder, options } = await stage(name === 'claude' ? claude : OUR_AGENT);
    const spare = await prewarm({ options });
    const query = spare.claim({ prompt: 'say hello', options: { cwd: join(folder, 'nowhere') } });
    const words = collect(query).then(JSON.stringify, String);
    expect(String(await thrownBy(spare.claimed))).toContain('cwd_not_found');
    expect(await words).toContain('not_claimed');
    await spare.exited;
  });
});
