import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { check, checkFits } from '../check.ts';
import { deny } from '../conversation.ts';
import { blocksOfType, fieldsOf, isResult, isToolUse, kindOf, listOf, toolOutcomes } from '../messages.ts';
import { delegate, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const PARROT = { parrot: { description: 'repeats what it hears', prompt: 'You are a parrot.' } };
const PARROT_FILE = '---\nname: parrot\ndescription: repeats what it hears\n---\nYou are a parrot.\n';

/** The prompt that hands something to the parrot. */
const toParrot = (prompt: string) => delegate(prompt, { subagent_type: 'parrot' });

/** The bodies of the requests that the parrot made. */
function ofParrot(stage: Stage): Record<string, unknown>[] {
  return stage
    .requests()
    .map(({ body }) => fieldsOf(body))
    .filter(({ system }) => JSON.stringify(system ?? '').includes('You are a parrot.'));
}

/** What was told in the name of a sub-agent. */
function toldBelow(messages: readonly JsonObject[]): JsonObject[] {
  return messages.filter(({ parent_tool_use_id: parent }) => typeof parent === 'string');
}

function toolNames(body: Record<string, unknown> | undefined): string[] {
  return listOf(body?.['tools']).map((tool) => String(fieldsOf(tool)['name']));
}

export const subAgents: Part = {
  title: 'Sub-agents',
  scenarios: [
    {
      name: 'what a sub-agent says last is what the model gets',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { messages, result } = await agent.turn(delegate('run echo below'));
        const mine = messages.filter(({ parent_tool_use_id }) => parent_tool_use_id === null);
        const [outcome] = toolOutcomes(mine);
        checkFits(outcome, {
          isError: false,
          text: /done: below/,
          structured: { status: 'completed', prompt: 'run echo below', agentId: /./, totalToolUseCount: 1 },
        });
        checkFits(result, { subtype: 'success', result: /done: below/ });
      },
    },
    {
      name: 'what it does is told in the name of the call',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { messages } = await agent.turn(delegate('run echo below'));
        const [task] = blocksOfType(messages, 'tool_use');
        const below = messages.filter(({ parent_tool_use_id }) => parent_tool_use_id === task?.['id']);
        check(below.some(isToolUse), 'its tool call is not told');
        checkFits(toolOutcomes(below), [{ text: 'below' }]);
      },
    },
    {
      name: 'what it says is not told, and neither is its stream',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--include-partial-messages'] });
        const below = toldBelow((await agent.turn(delegate('run echo below'))).messages);
        checkFits(below.map(kindOf), ['user', 'assistant', 'user']);
        checkFits(blocksOfType(below, 'tool_use').length, 1);
      },
    },
    {
      name: 'forwardSubagentText has what it says told, too, in its name',
      misses: { '2.1.37': 'tells it never' },
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--include-partial-messages'] });
        await agent.control('initialize', { forwardSubagentText: true });
        const below = toldBelow((await agent.turn(delegate('run echo below'))).messages);
        checkFits(below.map(kindOf), ['user', 'assistant', 'assistant', 'user', 'assistant']);
        for (const message of below)
          checkFits(message, {
            agent_id: /^a/,
            subagent_type: 'general-purpose',
            task_description: 'a part of it',
          });
      },
    },
    {
      name: '--forward-subagent-text does the same',
      misses: { '2.1.37': 'does not know the flag' },
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--forward-subagent-text'] });
        const below = toldBelow((await agent.turn(delegate('run echo below'))).messages);
        checkFits(blocksOfType(below, 'text').at(-1), { text: /done: below/ });
      },
    },
    {
      name: 'a file beside its transcript says which agent it is and which call it works for',
      misses: { '2.1.37': 'writes none' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { messages } = await agent.turn(delegate('run echo below'));
        const [task] = blocksOfType(messages, 'tool_use');
        await agent.finish();
        const projects = stage.personal('projects');
        const name = (await readdir(projects, { recursive: true })).find((file) =>
          file.endsWith('.meta.json'),
        );
        check(name !== undefined && /subagents\/agent-a[0-9a-f]+\.meta\.json$/.test(name), `it is ${name}`);
        checkFits(JSON.parse((await stage.read(join(projects, name))) ?? ''), {
          agentType: 'general-purpose',
          isBuiltIn: true,
          description: 'a part of it',
          toolUseId: task?.['id'],
          spawnDepth: 1,
          finished: true,
        });
      },
    },
    {
      name: 'it begins with its prompt, and knows nothing of the conversation',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.control('initialize', { agents: PARROT });
        await agent.turn('say a secret');
        await agent.turn(toParrot('say below'));
        const [body] = ofParrot(stage);
        const said = JSON.stringify(body?.['messages']);
        check(said.includes('say below') && !said.includes('a secret'), said.slice(0, 200));
      },
    },
    {
      name: 'a host brings its own with initialize, and init lists it',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.control('initialize', { agents: PARROT });
        const { messages, result } = await agent.turn(toParrot('say below'));
        checkFits(result, { result: /below/ });
        const init = messages.find((message) => kindOf(message) === 'system/init');
        check(listOf(init?.['agents']).includes('parrot'), 'init does not list it');
        check(ofParrot(stage).length > 0, 'its prompt is not used');
      },
    },
    {
      name: '--agents brings them too',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--agents', JSON.stringify(PARROT)] });
        checkFits((await agent.turn(toParrot('say below'))).result, { result: /below/ });
        check(ofParrot(stage).length > 0, 'its prompt is not used');
      },
    },
    ...(['path', 'personal'] as const).map((whose) => ({
      name: `a file in the agents folder of the ${whose === 'path' ? 'project' : 'person'} is one`,
      async play(stage: Stage) {
        await stage.trust();
        const folder = whose === 'path' ? '.claude/agents' : 'agents';
        await stage.write(stage[whose](`${folder}/parrot.md`), PARROT_FILE);
        const agent = await stage.start({ args: UNASKED });
        checkFits((await agent.turn(toParrot('say below'))).result, { result: /below/ });
        check(ofParrot(stage).length > 0, 'its prompt is not used');
      },
    })),
    {
      name: 'it has the tools of its definition and no others',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const parrot = { ...PARROT.parrot, tools: ['Read', 'Bash'] };
        await agent.control('initialize', { agents: { parrot } });
        await agent.turn(toParrot(`write ${stage.path('a')} text`));
        checkFits(toolNames(ofParrot(stage)[0]).toSorted(), ['Bash', 'Read']);
        check((await stage.read(stage.path('a'))) === undefined, 'it wrote');
      },
    },
    {
      name: 'it asks the model of its definition',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.control('initialize', { agents: { parrot: { ...PARROT.parrot, model: 'haiku' } } });
        await agent.turn(toParrot('say below'));
        checkFits(ofParrot(stage)[0], { model: /haiku/ });
      },
    },
    {
      name: 'one that does not exist is an error for the model, with the names of those that do',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool, result } = await agent.turn(delegate('say hi', { subagent_type: 'nobody' }));
        checkFits(tool, { isError: true, text: /nobody[\s\S]*general-purpose/ });
        checkFits(result, { subtype: 'success' });
      },
    },
    {
      name: 'its conversation is taken down in a file of its own, beside that of the session',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { result } = await agent.turn(delegate('run echo below'));
        await agent.finish();
        const projects = stage.personal('projects');
        const files = await readdir(projects, { recursive: true });
        const own = files.find((name) => /subagents\/agent-[^/]*\.jsonl$/.test(name)) ?? '';
        check(own.includes(String(result['session_id'])), `there is ${files.join(', ')}`);
        const lines = ((await stage.read(join(projects, own))) ?? '').split('\n').filter(Boolean);
        checkFits(JSON.parse(lines[0] ?? '{}'), {
          type: 'user',
          isSidechain: true,
          agentId: /./,
          sessionId: result['session_id'],
        });
      },
    },
    {
      name: 'it asks for permission in its own name',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny('not even below') });
        await agent.turn(delegate('run touch a'));
        checkFits(agent.asked, [{ tool_name: 'Bash', input: { command: 'touch a' }, agent_id: /./ }]);
        check((await stage.read(stage.path('a'))) === undefined, 'it ran');
      },
    },
    {
      name: 'two of one reply both come back',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const input = (prompt: string) => ({
          description: 'a part',
          subagent_type: 'general-purpose',
          run_in_background: false,
          prompt,
        });
        await stage.script({
          name: 'two at once',
          turns: [
            { when: { tool_result: {} }, say: ['both are back'] },
            { when: { user: { matches: '^part (\\S+)$' } }, say: ['{{1}}'] },
            {
              when: 'any',
              say: [
                { tool: 'Task', input: input('part one') },
                { tool: 'Task', input: input('part two') },
              ],
            },
          ],
        });
        const { messages, result } = await agent.turn('go');
        const mine = messages.filter(({ parent_tool_use_id }) => parent_tool_use_id === null);
        const texts = toolOutcomes(mine).map(({ text }) => text);
        check(/one/.test(texts[0] ?? '') && /two/.test(texts[1] ?? ''), texts.join(' | '));
        checkFits(result, { result: 'both are back' });
      },
    },
    {
      name: 'in the background: the turn ends before it, and the host hears of its end',
      misses: { '2.1.37': 'says nothing until the next prompt' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool, result } = await agent.turn(
          delegate('run sleep 1; echo late', { run_in_background: true }),
        );
        checkFits([tool, result], [{ isError: false }, { subtype: 'success' }]);
        const end = await agent.next((message) => kindOf(message) === 'system/task_notification');
        checkFits(end, { task_id: /./, status: 'completed', summary: /./ });
      },
    },
    {
      name: 'in the background: the model hears of its end without being asked',
      misses: { '2.1.37': 'waits for the next prompt' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(delegate('run sleep 1; echo late', { run_in_background: true }));
        await agent.next(isResult, agent.messages.length);
        check(JSON.stringify(stage.lastRequest()['messages']).includes('done: late'), 'it does not know');
      },
    },
    {
      name: 'stop_task ends one in the background',
      misses: { '2.1.37': 'does not know stop_task' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(delegate('run tail -f /dev/null', { run_in_background: true }));
        await agent.control('stop_task', { task_id: fieldsOf(tool.structured)['agentId'] });
        const end = await agent.next((message) => kindOf(message) === 'system/task_notification');
        checkFits(end, { status: /stopped|killed/ });
      },
    },
    {
      name: 'an interrupt ends it with its turn, and the session goes on',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.say(delegate('run sleep 60'));
        const isBelow = ({ parent_tool_use_id }: Record<string, unknown>) => parent_tool_use_id !== null;
        await agent.next((message) => isToolUse(message) && isBelow(message));
        await agent.control('interrupt');
        checkFits((await agent.rest(0)).result, { subtype: 'error_during_execution' });
        checkFits((await agent.turn('say still here')).result, { result: 'still here' });
      },
    },
    {
      name: '--agent gives the conversation itself the prompt and the tools of one',
      misses: { '2.1.37': 'ends at once, without a word' },
      async play(stage) {
        const file = PARROT_FILE.replace('\n---\nYou', '\ntools: Read, Bash\n---\nYou');
        await stage.write(stage.personal('agents/parrot.md'), file);
        const agent = await stage.start({ args: [...UNASKED, '--agent', 'parrot'] });
        checkFits((await agent.turn('run echo hi')).tool, { text: 'hi' });
        const body = stage.lastRequest();
        check(JSON.stringify(body['system']).includes('You are a parrot.'), 'its prompt is not used');
        check(!toolNames(body).includes('Write'), 'it has other tools');
      },
    },
  ],
};
