import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClaimOptions, type Options, prewarm, type SpareProcess, startup } from '../src/index.ts';
import { collect, type FakeAgent, fakeAgent, OBEDIENT, prompt, thrownBy, untilGone } from './fake-agent.ts';

/** An agent that waits to be claimed. `refuses` are subtypes that it refuses. */
function spareScript(...refuses: string[]): string {
  const claimed = { cwd: '/real', session_id: 'the-session', parked_ms: 5, sdk_mcp_settled: true };
  const offer = { commands: [{ name: 'of-the-folder', description: '', argumentHint: '' }] };
  return `
    const handlers = {
      user: () => result(),
      claim_session: (said) => answer(said, ${JSON.stringify({ ...claimed, initialize: offer })}),
    };
    for (const name of ${JSON.stringify(refuses)}) handlers[name] = (said) => refuse(said, 'not_' + name);
    return handlers;`;
}

async function heardBy(agent: FakeAgent): Promise<unknown[]> {
  return (await agent.log()).flatMap(({ heard }) =>
    heard ? [heard.request?.['subtype'] ?? heard.type] : [],
  );
}

async function claimedFrom(
  agent: FakeAgent,
  claim: Partial<ClaimOptions>,
  more?: Options,
): Promise<{ spare: SpareProcess; messages: Promise<string[]> }> {
  const spare = await prewarm({ options: agent.options(more) });
  const query = spare.claim({ prompt: 'go', options: { cwd: '/work', ...claim } });
  return { spare, messages: collect(query).then((all) => all.map(({ type }) => type)) };
}

describe('an agent that is started ahead', () => {
  it('[SD657] is ready before its prompt, and is then a query like any other', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const warm = await startup({ options: agent.options() });
    expect(await heardBy(agent)).toEqual(['initialize']);
    const query = warm.query('hello');
    expect((await collect(query)).map(({ type }) => type)).toEqual(['result']);
    expect(await heardBy(agent)).toEqual(['initialize', 'user']);
    expect(await agent.heard('user')).toMatchObject([
      { message: { content: [{ type: 'text', text: 'hello' }] } },
    ]);
    expect(() => warm.query('again')).toThrow(expect.objectContaining({ code: 'WARM_AGENT' }));
  });

  it('[SD657] takes an iterable of prompts, too', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const warm = await startup({ options: agent.options() });
    const messages = warm.query(
      (async function* () {
        yield prompt('one');
      })(),
    );
    expect(await collect(messages)).toMatchObject([{ type: 'result' }]);
  });

  it('[SD657] that is not needed is ended, and cannot be used any more', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const { started } = await (async () => {
      await using warm = await startup({ options: agent.options() });
      warm.close();
      expect(() => warm.query('late')).toThrow(expect.objectContaining({ code: 'WARM_AGENT' }));
      return agent.start();
    })();
    await untilGone(started);
  });

  it('[SD658] that does not get ready is ended, and the error says why', async () => {
    const silent = await fakeAgent('return { initialize: () => {} };');
    const late = startup({ options: silent.options(), initializeTimeoutMs: 1_000 });
    expect(await thrownBy(late)).toMatchObject({ code: 'WARM_AGENT' });
    await untilGone((await silent.start()).started);
    const refusing = await fakeAgent("return { initialize: (said) => refuse(said, 'nope') };");
    expect(await thrownBy(startup({ options: refusing.options() }))).toMatchObject({ message: 'nope' });
    const leaving = await fakeAgent("console.error('unknown option'); process.exit(1);");
    const left = { code: 'PROCESS_FAILED', stderr: expect.stringContaining('unknown option') };
    expect(await thrownBy(startup({ options: leaving.options() }))).toMatchObject(left);
    expect(await thrownBy(prewarm({ options: leaving.options() }))).toMatchObject(left);
  });
});

describe('a spare agent', () => {
  it('[SD659] waits in a folder of its own, becomes the session that it is claimed for, and leaves nothing behind', async () => {
    const agent = await fakeAgent(spareScript());
    const options = agent.options();
    const spare = await prewarm({ options });
    const { argv, cwd } = await agent.start();
    expect(argv).toContain('--await-claim');
    expect(cwd).toContain(join(agent.folder, '.claude/spares/spare-'));
    const query = spare.claim({
      prompt: 'go',
      options: {
        cwd: '/work',
        model: 'm',
        maxThinkingTokens: 5,
        permissionMode: 'plan',
        title: 't',
        env: { CLAUDE_CODE_HOST_SESSION_ID: 'h' },
        additionalDirectories: ['more'],
      },
    });
    expect(await spare.claimed).toEqual({
      cwd: '/real',
      sessionId: 'the-session',
      parkedMs: 5,
      sdkMcpSettled: true,
    });
    expect(await query.supportedCommands()).toMatchObject([{ name: 'of-the-folder' }]);
    expect(await collect(query)).toMatchObject([{ type: 'result' }]);
    expect(await heardBy(agent)).toEqual([
      'initialize',
      'claim_session',
      'set_model',
      'set_max_thinking_tokens',
      'user',
    ]);
    expect(await agent.heard('claim_session')).toEqual([
      {
        subtype: 'claim_session',
        cwd: '/work',
        permission_mode: 'plan',
        env: { CLAUDE_CODE_HOST_SESSION_ID: 'h' },
        additional_directories: ['more'],
        title: 't',
        sdk_mcp_servers: [],
        include_initialize: true,
      },
    ]);
    await spare.exited;
    expect(await readdir(join(agent.folder, '.claude/spares'))).toEqual([]);
  });

  it('[SD660] gets no prompt before its settings are in force: some before the claim, some after', async () => {
    const agent = await fakeAgent(spareScript());
    const settings = { effortLevel: 'high', permissions: { deny: ['Bash'] } };
    const { spare, messages } = await claimedFrom(agent, { settings });
    expect(await messages).toEqual(['result']);
    expect(await spare.claimed).toMatchObject({ sessionId: 'the-session' });
    expect(await heardBy(agent)).toEqual([
      'initialize',
      'apply_flag_settings',
      'claim_session',
      'apply_flag_settings',
      'user',
    ]);
    expect(await agent.heard('apply_flag_settings')).toMatchObject([
      { settings: { effortLevel: 'high' } },
      { settings: { permissions: { deny: ['Bash'] } } },
    ]);
  });

  it('[SD660] gets no prompt at all when they are refused', async () => {
    const agent = await fakeAgent(spareScript('apply_flag_settings'));
    const { spare, messages } = await claimedFrom(agent, { settings: { effortLevel: 'high' } });
    const refused = { code: 'SPARE_NOT_CLAIMED', message: 'settings_not_applied: not_apply_flag_settings' };
    expect(await thrownBy(spare.claimed)).toMatchObject(refused);
    expect(await thrownBy(messages)).toMatchObject(refused);
    await spare.exited;
    expect(await heardBy(agent)).toEqual(['initialize', 'apply_flag_settings']);
  });

  it('[SD661] says when it cannot be the session, or not all of it', async () => {
    const folder = await fakeAgent(spareScript('claim_session'));
    const { spare, messages } = await claimedFrom(folder, {});
    expect(await thrownBy(spare.claimed)).toMatchObject({ message: 'not_claim_session' });
    await messages;
    const model = await fakeAgent(spareScript('set_model'));
    const partly = await claimedFrom(model, { model: 'none' });
    expect(await thrownBy(partly.spare.claimed)).toMatchObject({
      code: 'SPARE_NOT_CLAIMED',
      message: 'option_not_applied: not_set_model',
      claim: { sessionId: 'the-session' },
    });
    expect(await partly.messages).toEqual(['result']);
  });

  it('[SD661] is claimed once, not after it was closed, and with no settings about hooks', async () => {
    const agent = await fakeAgent(spareScript());
    const cwd = join(agent.folder, 'parked');
    await mkdir(cwd);
    const spare = await prewarm({ options: agent.options({ cwd }) });
    const claim = (settings?: Record<string, unknown>): unknown =>
      spare.claim({ prompt: 'go', options: { cwd: '/work', ...(settings && { settings }) } });
    expect(() => claim({ disableAllHooks: true })).toThrow(
      expect.objectContaining({ code: 'OPTIONS_INVALID' }),
    );
    const closed = thrownBy(spare.claimed);
    spare.close();
    expect(await closed).toMatchObject({ message: expect.stringMatching(/^spare_closed/) });
    expect(() => claim()).toThrow(expect.objectContaining({ code: 'WARM_AGENT' }));
    await spare.exited;
    expect(await readdir(agent.folder)).toContain('parked');
    const { spare: other, messages } = await claimedFrom(await fakeAgent(spareScript()), {});
    expect(() => other.claim({ prompt: 'again', options: { cwd: '/work' } })).toThrow(
      expect.objectContaining({ code: 'WARM_AGENT' }),
    );
    await messages;
  });
});
