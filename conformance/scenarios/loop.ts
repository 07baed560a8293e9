import type { JsonObject } from '@signalbox/protocol';
import { check, checkFits } from '../check.ts';
import { allow } from '../conversation.ts';
import {
  blocksOf,
  blocksOfType,
  fieldsOf,
  isResult,
  kindOf,
  listOf,
  streamEvents,
  streamedText,
  toolOutcomes,
} from '../messages.ts';
import { call, promptId, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';

/** What tells the story of a turn; versions differ in what else they report. */
const STORY = new Set(['system/init', 'assistant', 'user', 'result/success']);

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const PERSON = JSON.stringify({
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
});

export const loop: Part = {
  title: 'Loop',
  scenarios: [
    {
      name: 'a turn is init, one assistant message per content block, result',
      async play(stage) {
        const agent = await stage.start();
        const { messages } = await agent.turn('think twice');
        const story = messages.map(kindOf).filter((kind) => STORY.has(kind));
        checkFits(story, ['system/init', 'assistant', 'assistant', 'result/success']);
        const replies = messages.filter(({ type }) => type === 'assistant');
        checkFits(replies.map(blocksOf), [
          [{ type: 'thinking', thinking: 'let me think', signature: /./ }],
          [{ type: 'text', text: 'twice' }],
        ]);
        const ids = new Set(replies.map((reply) => fieldsOf(reply['message'])['id']));
        check(ids.size === 1, 'the blocks of one reply have different message ids');
      },
    },
    {
      name: 'init tells the host where it is and what it has',
      async play(stage) {
        const agent = await stage.start({ onPermission: allow });
        const { messages, result } = await agent.turn('say hi');
        const init = messages[0] ?? {};
        checkFits(init, {
          cwd: stage.folder,
          session_id: result['session_id'],
          permissionMode: 'default',
          mcp_servers: [],
          model: /claude/,
          apiKeySource: /./,
          claude_code_version: /^2\./,
          output_style: 'default',
        });
        for (const tool of ['Bash', 'Read', 'Write', 'Edit', 'AskUserQuestion', 'ExitPlanMode', 'TaskStop'])
          check(listOf(init['tools']).includes(tool), `it has no ${tool}`);
      },
    },
    {
      name: 'every message carries the session and an id of its own',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { messages, result } = await agent.turn('run echo hi');
        const ids = messages.map(({ uuid }) => uuid);
        check(
          ids.every((id) => typeof id === 'string'),
          'an id is missing',
        );
        check(new Set(ids).size === ids.length, 'an id repeats');
        check(
          messages.every(({ session_id }) => session_id === result['session_id']),
          'sessions differ',
        );
      },
    },
    {
      name: 'init comes again with every turn, and the model remembers',
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say one');
        const { messages, result } = await agent.turn('say two');
        check(messages.map(kindOf).includes('system/init'), 'the second turn has no init');
        checkFits(result, { result: 'two' });
        const said = JSON.stringify(stage.lastRequest()['messages']);
        check(said.includes('say one') && said.includes('"one"'), 'the second request lacks the first turn');
      },
    },
    {
      name: 'partial messages come in order and before the whole',
      async play(stage) {
        const agent = await stage.start({ args: ['--include-partial-messages'] });
        const { messages } = await agent.turn('think a few words');
        const events = streamEvents(messages);
        const frame = events
          .map(({ type }) => type)
          .filter((type) => /message_|_start|_stop/.test(String(type)));
        checkFits(frame, [
          'message_start',
          'content_block_start',
          'content_block_stop',
          'content_block_start',
          'content_block_stop',
          'message_delta',
          'message_stop',
        ]);
        checkFits(streamedText(messages), 'a few words', 'what the deltas say');
        const whole = messages.findIndex((message) =>
          blocksOf(message).some((block) => block.type === 'text'),
        );
        const delta = messages.findIndex(
          ({ event }) => fieldsOf(fieldsOf(event)['delta'])['type'] === 'text_delta',
        );
        check(delta >= 0 && delta < whole, 'the whole message comes before its parts');
      },
    },
    {
      name: 'without --include-partial-messages there are none',
      async play(stage) {
        const { messages } = await (await stage.start()).turn('say hi');
        check(!messages.some(({ type }) => type === 'stream_event'), 'there is a stream_event');
      },
    },
    {
      name: 'a prompt with the same uuid is taken once',
      async play(stage) {
        const agent = await stage.start();
        const uuid = promptId();
        await agent.turn('say once', { uuid });
        await agent.say('say once', { uuid });
        await agent.finish();
        check(agent.messages.filter(isResult).length === 1, 'it was answered twice');
        check(stage.requests().length === 1, 'the model was asked twice');
      },
    },
    {
      name: '--replay-user-messages acknowledges a prompt with its uuid',
      async play(stage) {
        const agent = await stage.start({ args: ['--replay-user-messages'] });
        const uuid = promptId();
        const { messages } = await agent.turn('say hi', { uuid });
        const replay = messages.find((message) => message['isReplay'] === true);
        checkFits(replay, { type: 'user', uuid, message: { role: 'user', content: 'say hi' } });
        const told = messages.map((message) => (message === replay ? 'replay' : kindOf(message)));
        const [init, acknowledged] = [told.indexOf('system/init'), told.indexOf('replay')];
        check(init < acknowledged && acknowledged < told.indexOf('assistant'), told.join(', '));
      },
    },
    {
      name: '--replay-user-messages acknowledges a prompt that waits when it is taken, not when it arrives',
      async play(stage) {
        const agent = await stage.start({ args: [...UNASKED, '--replay-user-messages'] });
        const uuids = [promptId(), promptId()];
        for (const uuid of uuids) await agent.say('run echo over', { uuid });
        const isLast = (message: JsonObject): boolean => message['uuid'] === uuids[1];
        const at = agent.messages.indexOf(await agent.next(isLast));
        check(toolOutcomes(agent.messages.slice(0, at)).length > 0, 'it came before the first was done');
      },
    },
    {
      name: 'a result says that a person sent the prompt, where the host says so, or that a task ended',
      misses: { '2.1.37': 'says it never' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { result } = await agent.turn('say hi', { origin: { kind: 'human' } });
        checkFits(result, { origin: { kind: 'human' } });
        for (const origin of [{ kind: 'task-notification' }, { kind: 'peer', from: 'x' }])
          check(
            !('origin' in (await agent.turn('say hi', { origin })).result),
            `${origin.kind} was believed`,
          );
        const background = { command: 'sleep 0.2', run_in_background: true, description: 'wait' };
        const started = await agent.turn(call('Bash', background));
        const news = await agent.rest(agent.messages.indexOf(started.result) + 1);
        checkFits(news.result, { origin: { kind: 'task-notification' } });
      },
    },
    {
      name: 'prompts that arrive during a turn are all answered, in order',
      async play(stage) {
        const agent = await stage.start();
        for (const prompt of ['slow 20', 'say two', 'say three']) await agent.say(prompt);
        await agent.finish();
        const said = blocksOfType(
          agent.messages.filter(({ type }) => type === 'assistant'),
          'text',
        );
        const asked = JSON.stringify(stage.lastRequest()['messages']);
        check(asked.indexOf('say two') > 0 && asked.indexOf('say two') < asked.indexOf('say three'), asked);
        checkFits(said.at(-1), { text: /three$/ });
      },
    },
    {
      name: 'the end of stdin lets queued turns finish, then it exits 0',
      async play(stage) {
        const agent = await stage.start();
        await agent.say('slow 30');
        const { code } = await agent.finish();
        checkFits([code, agent.messages.at(-1)], [0, { type: 'result', result: /w29$/ }]);
      },
    },
    {
      name: 'a prompt of content blocks reaches the model, images included',
      async play(stage) {
        const agent = await stage.start();
        const source = { type: 'base64', media_type: 'image/png', data: PIXEL };
        await agent.turn([
          { type: 'image', source },
          { type: 'text', text: 'say seen' },
        ]);
        const blocks = blocksOfType(
          listOf(stage.lastRequest()['messages']).map((message) => ({ message })),
          'image',
        );
        checkFits(blocks, [{ type: 'image', source: { media_type: 'image/png' } }]);
      },
    },
    {
      name: 'two tool calls of one reply both get their result',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const tool = (command: string) => ({ tool: 'Bash', input: { command, description: 'say it' } });
        await stage.script({
          name: 'two calls',
          turns: [
            { when: { tool_result: {} }, say: ['both done'] },
            { when: 'any', say: [tool('echo one'), tool('echo two')] },
          ],
        });
        const { messages, result } = await agent.turn('go');
        const texts = toolOutcomes(messages).map(({ text }) => text);
        checkFits(texts.toSorted(), ['one', 'two']);
        checkFits(result, { result: 'both done' });
      },
    },
    {
      name: 'a tool that does not exist is an error for the model, not the end',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool, result } = await agent.turn(call('Nonsense', {}));
        checkFits(tool, { isError: true, text: /No such tool available: Nonsense/ });
        checkFits(result, { subtype: 'success' });
      },
    },
    {
      name: 'tool input that does not fit is an error for the model, not the end',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool, result } = await agent.turn(call('Read', { nonsense: true }));
        checkFits(tool, { isError: true, text: /file_path/ });
        checkFits(result, { subtype: 'success' });
      },
    },
    {
      name: '--json-schema gives structured output',
      async play(stage) {
        const agent = await stage.start({ args: ['--json-schema', PERSON] });
        const { result } = await agent.turn(call('StructuredOutput', { name: 'zoe' }));
        checkFits(result, { subtype: 'success', structured_output: { name: 'zoe' } });
      },
    },
    {
      name: 'structured output that does not fit is asked for again',
      async play(stage) {
        const agent = await stage.start({ args: ['--json-schema', PERSON] });
        const tool = (input: Record<string, unknown>) => ({ tool: 'StructuredOutput', input });
        await stage.script({
          name: 'second try',
          turns: [
            { when: { tool_result: { is_error: true } }, say: [tool({ name: 'zoe' })] },
            { when: { tool_result: {} }, say: ['done'] },
            { when: 'any', say: [tool({ name: 7 })] },
          ],
        });
        const { result, tool: first } = await agent.turn('go');
        checkFits(first, { isError: true });
        checkFits(result, { subtype: 'success', structured_output: { name: 'zoe' } });
      },
    },
  ],
};
