import type { JsonObject } from '@signalbox/protocol';
import { z } from 'zod';
import { check, checkFits } from '../check.ts';
import { verdict } from '../hook-host.ts';
import { ECHO, every } from '../mcp-stage.ts';
import { fieldsOf, isResult, kindOf, listOf, toolOutcomes } from '../messages.ts';
import { call, delegate } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Sdk } from '../sdk.ts';
import { listen, Prompts, type SdkScene, sdkScenarios } from '../sdk-scene.ts';

const UNASKED = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true };

/** A server of the SDK with one tool that shouts. */
function shouter(sdk: Sdk): unknown {
  const shout = sdk.tool('shout', 'says it louder', { words: z.string() }, ({ words }) =>
    Promise.resolve({ content: [{ type: 'text', text: String(words).toUpperCase() }] }),
  );
  return sdk.createSdkMcpServer({ name: 'inner', tools: [shout] });
}

/** Hooks of the SDK: each event with a function, whose inputs are kept. */
function hooked(answers: Record<string, JsonObject>): { hooks: JsonObject; told: JsonObject[] } {
  const told: JsonObject[] = [];
  const entries = Object.entries(answers).map(([event, answer]) => {
    const hook = (input: JsonObject): Promise<JsonObject> => {
      told.push(input);
      return Promise.resolve(answer);
    };
    return [event, [{ hooks: [hook] }]];
  });
  return { hooks: Object.fromEntries(entries), told };
}

function initOf(messages: readonly JsonObject[]): JsonObject {
  return messages.find((message) => kindOf(message) === 'system/init') ?? {};
}

const BEHAVIOURS: Record<string, (scene: SdkScene) => Promise<void>> = {
  'hooks that watch': async ({ converse }) => {
    const { hooks, told } = hooked({ PreToolUse: {}, PostToolUse: {}, UserPromptSubmit: {}, Stop: {} });
    await converse('run echo hi', { hooks, ...UNASKED });
    checkFits(
      told.map(({ hook_event_name }) => hook_event_name),
      ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'],
    );
    checkFits(told[2], { tool_name: 'Bash', tool_response: { stdout: 'hi' } });
  },
  'a hook that denies': async ({ stage, converse }) => {
    const { hooks } = hooked({ PreToolUse: verdict('deny') });
    const messages = await converse('run touch a', { hooks, ...UNASKED });
    checkFits(toolOutcomes(messages), [{ isError: true, text: /the hook says so/ }]);
    check((await stage.read(stage.path('a'))) === undefined, 'it ran');
  },
  'a hook that changes the input': async ({ converse }) => {
    const updatedInput = { command: 'echo changed', description: 'another' };
    const { hooks } = hooked({ PreToolUse: verdict('allow', { updatedInput }) });
    const messages = await converse('run touch a', { hooks });
    checkFits(toolOutcomes(messages), [{ text: 'changed' }]);
  },
  'a prompt as a text, with hooks': async ({ ask }) => {
    const { hooks, told } = hooked({ PreToolUse: {} });
    const messages = await ask('run echo hi', { hooks, ...UNASKED });
    checkFits([told.length, toolOutcomes(messages)], [1, [{ text: 'hi' }]]);
  },
  'tools that live in the host': async ({ sdk, converse }) => {
    const messages = await converse(call('mcp__inner__shout', { words: 'hello' }), {
      mcpServers: { inner: shouter(sdk) },
      allowedTools: ['mcp__inner__shout'],
    });
    checkFits(initOf(messages)['mcp_servers'], [{ name: 'inner', status: 'connected' }]);
    checkFits(toolOutcomes(messages), [{ isError: false, text: 'HELLO' }]);
  },
  'tools that live in the host, asked for': async ({ sdk, converse }) => {
    const asked: string[] = [];
    const canUseTool = (name: string, input: JsonObject) => {
      asked.push(name);
      return Promise.resolve({ behavior: 'allow', updatedInput: input });
    };
    const messages = await converse(call('mcp__inner__shout', { words: 'hello' }), {
      mcpServers: { inner: shouter(sdk) },
      canUseTool,
    });
    checkFits([asked, toolOutcomes(messages)], [['mcp__inner__shout'], [{ text: 'HELLO' }]]);
  },
  'a server that runs beside': async ({ start }) => {
    const prompts = new Prompts();
    prompts.say('say hi');
    const query = start(prompts, { mcpServers: { every }, allowedTools: ['mcp__every'] });
    let results = 0;
    let servers: JsonObject[] = [];
    const messages = await listen(query, async (message) => {
      if (!isResult(message)) return;
      results += 1;
      if (results > 1) return prompts.end();
      servers = await query.mcpServerStatus();
      return prompts.say(ECHO);
    });
    checkFits(servers, [{ name: 'every', status: 'connected' }]);
    checkFits(toolOutcomes(messages), [{ text: 'Echo: hello' }]);
  },
  'sub-agents of the host': async ({ stage, converse }) => {
    const agents = { parrot: { description: 'repeats', prompt: 'You are a parrot.', tools: ['Bash'] } };
    const messages = await converse(delegate('run echo below', { subagent_type: 'parrot' }), {
      agents,
      ...UNASKED,
    });
    checkFits(messages.find(isResult), { subtype: 'success', result: /done: below/ });
    check(listOf(initOf(messages)['agents']).includes('parrot'), 'init does not list it');
    const used = stage.requests().some(({ body }) => JSON.stringify(body).includes('You are a parrot.'));
    check(used, 'its prompt is not used');
  },
  'settings only where they are asked for': async ({ stage, ask }) => {
    await stage.write(stage.path('CLAUDE.md'), 'The project uses tabs.');
    await ask('say hi', { settingSources: [] });
    check(!JSON.stringify(stage.lastRequest()).includes('uses tabs'), 'the project was read');
    await ask('say hi', { settingSources: ['project'] });
    check(JSON.stringify(stage.lastRequest()).includes('uses tabs'), 'the project was not read');
  },
  'commands and skills of the project': async ({ stage, start }) => {
    await stage.write(
      stage.path('.claude/commands/hello.md'),
      '---\ndescription: greets\n---\nsay hello $ARGUMENTS',
    );
    await stage.write(
      stage.path('.claude/skills/poet/SKILL.md'),
      '---\nname: poet\ndescription: writes poems\n---\nWrite a poem about $ARGUMENTS',
    );
    const prompts = new Prompts();
    prompts.say('/hello world');
    const query = start(prompts, { settingSources: ['project'] });
    const names: unknown[] = [];
    const messages = await listen(query, async (message) => {
      if (!isResult(message)) return;
      names.push(...(await query.supportedCommands()).map((command) => fieldsOf(command)['name']));
      prompts.end();
    });
    checkFits(messages.find(isResult), { result: /^hello world/ });
    check(names.includes('hello') && names.includes('poet'), `it lists ${names.join(', ')}`);
    check(listOf(initOf(messages)['skills']).includes('poet'), 'init does not list the skill');
  },
  'a plugin': async ({ stage, converse }) => {
    const path = stage.elsewhere('tool-box');
    await stage.write(`${path}/.claude-plugin/plugin.json`, '{"name":"tool-box","version":"1.0.0"}');
    await stage.write(`${path}/commands/saw.md`, 'say sawed $ARGUMENTS');
    const messages = await converse('/tool-box:saw wood', { plugins: [{ type: 'local', path }] });
    checkFits(messages.find(isResult), { result: /^sawed wood/ });
  },
  'a system prompt that adds to the preset': async ({ stage, ask }) => {
    const append = 'Always mention trains.';
    await ask('say hi', { systemPrompt: { type: 'preset', preset: 'claude_code', append } });
    const sent = JSON.stringify(stage.lastRequest());
    check(sent.includes(append) && sent.includes(stage.folder), 'the preset or the addition is missing');
  },
};

/** What hosts bring along, given to the official SDKs. */
export function sdkExtensions(sdks: readonly Sdk[]): Part {
  return {
    title: 'Hooks, servers, sub-agents and commands by the official SDKs',
    scenarios: sdkScenarios(sdks, BEHAVIOURS),
  };
}
