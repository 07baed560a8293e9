import { join } from 'node:path';
import { startScriptedModel } from '@signalbox/model';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OUR_AGENT } from '../../../conformance/program.ts';
import { INSTALL_TIMEOUT_MS, referenceCli, referenceEnv } from '../../model/test/reference-cli.ts';
import { collectText, type Options, prewarm, startup } from '../src/index.ts';
import { thrownBy } from './fake-agent.ts';
import { temporaryFolder } from './sessions/stored-session.ts';

const RUN_TIMEOUT_MS = 180_000;

let claude: string;

beforeAll(async () => {
  claude = await referenceCli('2.1.325');
}, INSTALL_TIMEOUT_MS);

async function stage(executable: string): Promise<{ folder: string; options: Options }> {
  const folder = await temporaryFolder();
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(() => model.close());
  const env = { ...referenceEnv(folder, model.url), CLAUDE_CONFIG_DIR: join(folder, 'config') };
  return { folder, options: { pathToClaudeCodeExecutable: executable, env, settingSources: [] } };
}

describe('agents that are started ahead', { timeout: RUN_TIMEOUT_MS }, () => {
  it.each(['claude', 'signalbox-agent'])(
    '[SD663] %s answers a prompt that came after its start',
    async (name) => {
      const { folder, options } = await stage(name === 'claude' ? claude : OUR_AGENT);
      const warm = await startup({ options: { ...options, cwd: folder } });
      expect(await collectText(warm.query('say hello'))).toBe('hello');
    },
  );

  it('[SD663] claude becomes the session that it is claimed for', async () => {
    const { folder, options } = await stage(claude);
    const spare = await prewarm({ options });
    const query = spare.claim({ prompt: 'say hello', options: { cwd: folder, permissionMode: 'plan' } });
    expect(await spare.claimed).toMatchObject({ cwd: folder, sdkMcpSettled: true });
    expect(await collectText(query)).toBe('hello');
    await spare.exited;
    const refused = await prewarm({ options });
    const failing = refused.claim({ prompt: 'say hello', options: { cwd: join(folder, 'nowhere') } });
    expect(await thrownBy(refused.claimed)).toMatchObject({
      message: expect.stringContaining('cwd_not_found'),
    });
    expect(await collectText(failing).catch(String)).toContain('not_claimed');
  });

  it('[SD663] signalbox-agent cannot wait to be claimed, and prewarm says so', async () => {
    const { options } = await stage(OUR_AGENT);
    expect(await thrownBy(prewarm({ options }))).toMatchObject({
      code: 'PROCESS_FAILED',
      stderr: expect.stringContaining('await-claim'),
    });
  });
});
