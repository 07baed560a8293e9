import { describe, expect, it } from 'vitest';
import { referenceSdks } from '../../../conformance/references.ts';
import { createSdkMcpServer, InMemorySessionStore, type Options, query } from '../src/index.ts';
import { collect, fakeAgent, OBEDIENT } from './fake-agent.ts';

const SESSION = '11111111-1111-4111-8111-111111111111';
const INSTALL_TIMEOUT_MS = 300_000;

/** Options that all versions of the official SDK know, in groups that fit together. */
const CLASSIC: Options[] = [
  { settingSources: ['user', 'project'], permissionMode: 'plan', systemPrompt: 'You are terse.' },
  {
    settingSources: [],
    permissionMode: 'default',
    additionalDirectories: ['/a', '/b'],
    agent: 'main',
    agents: { helper: { description: 'helps', prompt: 'help', tools: ['Read'] } },
    allowedTools: ['Read', 'Bash(git:*)'],
    disallowedTools: ['Write'],
    tools: ['Read', 'Edit'],
    betas: ['context-1m-2025-08-07'],
    model: 'one',
    fallbackModel: 'two',
    maxTurns: 3,
    maxBudgetUsd: 1.5,
    maxThinkingTokens: 100,
    mcpServers: { out: { command: 'server', args: ['-v'] }, web: { type: 'http', url: 'http://h' } },
    strictMcpConfig: true,
    outputFormat: { type: 'json_schema', schema: { type: 'object' } },
    includePartialMessages: true,
    allowDangerouslySkipPermissions: true,
    permissionPromptToolName: 'mcp__out__ask',
    plugins: [{ type: 'local', path: '/p' }],
    continue: true,
    resume: SESSION,
    resumeSessionAt: 'message',
    forkSession: true,
    persistSession: false,
    enableFileCheckpointing: true,
    debugFile: '/dev/null',
    extraArgs: { extra: 'value', bare: null },
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'And be kind.' },
  },
  {
    settingSources: ['local'],
    permissionMode: 'acceptEdits',
    tools: { type: 'preset', preset: 'claude_code' },
    sessionId: SESSION,
    canUseTool: async () => ({ behavior: 'allow' }),
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [async () => ({})], timeout: 5 },
        { hooks: [async () => ({}), async () => ({})] },
      ],
      Stop: [{ hooks: [async () => ({})] }],
    },
  },
];

/** Options that only the newer one knows. */
const MODERN: Options[] = [
  {
    tools: [],
    thinking: { type: 'adaptive', display: 'summarized' },
    effort: 'high',
    taskBudget: { total: 5 },
    permissionPrompts: 'none',
    skills: ['one', 'two'],
    includeHookEvents: true,
    projectConfigRoot: '/r',
    managedSettings: { a: 1 },
    settings: '{"b":2}',
    sandbox: { enabled: true },
    title: 'T',
    planModeInstructions: 'P',
    toolAliases: { a: 'b' },
    toolConfig: { askUserQuestion: { previewFormat: 'html' } },
    promptSuggestions: true,
    agentProgressSummaries: true,
    forwardSubagentText: true,
    perTaskStopAffordance: true,
    verbatimPrompts: true,
    onUserDialog: async () => null,
    supportedDialogKinds: ['k'],
    systemPrompt: { type: 'preset', preset: 'claude_code', excludeDynamicSections: true, snapshot: true },
  },
  { thinking: { type: 'enabled', budgetTokens: 7 }, skills: 'all', debug: true, settings: { model: 'm' } },
  { thinking: { type: 'disabled' }, systemPrompt: ['a', 'b'], settings: '/settings.json', agents: {} },
  { systemPrompt: { type: 'custom', prompt: ['p'], snapshot: true }, resume: 'r', resumeDropsTurn: 'd' },
  { plugins: [{ type: 'local', path: '/p', skipMcpDiscovery: true }], pluginDelivery: 'initialize' },
  { sessionStore: new InMemorySessionStore(), sessionStoreFlush: 'eager' },
];

/** What an agent was told, in a form in which order and spelling of the arguments do not matter. */
async function toldBy(run: (options: Options) => AsyncIterable<unknown>, options: Options) {
  const agent = await fakeAgent(OBEDIENT);
  for await (const _ of run(agent.options({ ...options, executable: 'node' })));
  const { argv, env } = await agent.start();
  const flags: string[] = [];
  for (const argument of argv) {
    if (argument.startsWith('--')) flags.push(argument.includes('=') ? argument : `${argument}=`);
    else flags.push(`${flags.pop() ?? ''}${argument}`);
  }
  const [initialize = {}] = await agent.heard('initialize');
  const { systemPrompt } = initialize;
  const [user] = await agent.heard('user');
  const identity = ['CLAUDE_AGENT_SDK_VERSION', 'HOME', 'CLAUDE_CODE_SDK_READS_SESSION_STATE'];
  return {
    flags: flags
      .toSorted()
      .map((flag) =>
        flag.includes('{') ? [flag.split('=')[0], JSON.parse(flag.slice(flag.indexOf('{')))] : flag,
      ),
    initialize: {
      ...initialize,
      ...(systemPrompt === undefined ? {} : { systemPrompt: [systemPrompt].flat() }),
    },
    user,
    env: Object.fromEntries(
      Object.entries(env).filter(([name]) => /CLAUDE|NODE_/.test(name) && !identity.includes(name)),
    ),
  };
}

describe('options', () => {
  it('[SD8] reach the agent as from the official SDKs', { timeout: INSTALL_TIMEOUT_MS }, async () => {
    for (const official of await referenceSdks(false)) {
      const isOld = official.version === '0.2.37';
      for (const options of isOld ? CLASSIC : [...CLASSIC, ...MODERN, {}]) {
        const ours = await toldBy((all) => query({ prompt: 'hi', options: all }), options);
        const theirs = await toldBy((all) => official.query({ prompt: 'hi', options: { ...all } }), options);
        expect(ours, `${official.version} ${JSON.stringify(options)}`).toEqual(theirs);
      }
    }
  });

  it('[SD8] a server of this process is announced by initialize, others by argument', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const inside = createSdkMcpServer({ name: 'inner', timeout: 7 });
    const options = agent.options({ mcpServers: { inside, outside: { command: 'x' } } });
    await collect(query({ prompt: 'x', options }));
    expect((await agent.heard('initialize'))[0]).toMatchObject({
      sdkMcpServers: ['inside'],
      sdkMcpServerConfigs: { inside: { timeout: 7 } },
    });
    const { argv } = await agent.start();
    expect(argv.slice(argv.indexOf('--mcp-config')).slice(0, 2)).toEqual([
      '--mcp-config',
      '{"mcpServers":{"outside":{"command":"x"}}}',
    ]);
  });

  it('[SD9] the environment is the one that was given, with the name of this SDK and without NODE_OPTIONS', async () => {
    const agent = await fakeAgent(OBEDIENT);
    process.env['SIGNALBOX_TEST_STRAY'] = '1';
    const env = { NODE_OPTIONS: '--no-warnings', MINE: '1', GONE: undefined };
    await collect(query({ prompt: 'x', options: agent.options({ env, cwd: agent.folder }) }));
    delete process.env['SIGNALBOX_TEST_STRAY'];
    const started = await agent.start();
    expect(started.env).toMatchObject({ MINE: '1', CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' });
    expect(started.env['CLAUDE_AGENT_SDK_VERSION']).toMatch(/^\d/);
    expect(Object.keys(started.env)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/NODE_OPTIONS|GONE|SIGNALBOX_TEST_STRAY/)]),
    );
    expect(started.cwd).toBe(agent.folder);
  });

  it('[SD9] an entry point that the caller set stays', async () => {
    const agent = await fakeAgent(OBEDIENT);
    await collect(
      query({ prompt: 'x', options: agent.options({ env: { CLAUDE_CODE_ENTRYPOINT: 'mine' } }) }),
    );
    expect((await agent.start()).env['CLAUDE_CODE_ENTRYPOINT']).toBe('mine');
  });

  it.each<[string, Options]>([
    ['canUseTool', { canUseTool: async () => null, permissionPromptToolName: 'x' }],
    ['fallbackModel', { model: 'm', fallbackModel: 'm' }],
    ['supportedDialogKinds', { supportedDialogKinds: ['k'] }],
  ])('[SD10] options that contradict each other are refused at once: %s', (name, options) => {
    expect(() => query({ prompt: 'x', options })).toThrow(
      expect.objectContaining({ code: 'OPTIONS_INVALID', message: expect.stringContaining(name) }),
    );
  });

  it.each([['a text in place of { prompt }'], [{}], [{ prompt: 5 }], [{ prompt: { text: 'x' } }]])(
    '[SD490] what is no prompt is refused at once, in words: %j',
    (params) => {
      // As a program without types would call it.
      expect(() => Reflect.apply(query, undefined, [params])).toThrow(
        expect.objectContaining({
          code: 'OPTIONS_INVALID',
          message: expect.stringContaining('{ prompt, options }'),
        }),
      );
    },
  );

  it('[SD10] a settings file cannot take a sandbox', async () => {
    const agent = await fakeAgent(OBEDIENT);
    const options = agent.options({ settings: '/settings.json', sandbox: { enabled: true } });
    await expect(collect(query({ prompt: 'x', options }))).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
  });
});
