import { setTimeout as sleep } from 'node:timers/promises';
import { check, checkFits } from '../check.ts';
import { allow, deny } from '../conversation.ts';
import type { DrivenAgent } from '../driven-agent.ts';
import { fieldsOf, kindOf, listOf } from '../messages.ts';
import { call, promptId, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const HAIKU = 'claude-haiku-4-5-20251001';
const WRITTEN_MS = 1500;
const CHECKPOINTS = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' };

/** An agent that has read a file and then changed it; `uuid` is the prompt that changed it. */
async function withAnEdit(stage: Stage): Promise<{ agent: DrivenAgent; file: string; uuid: string }> {
  const file = await stage.write(stage.path('f.txt'), 'one\ntwo\n');
  const agent = await stage.start({
    args: ['--permission-mode', 'acceptEdits', '--replay-user-messages'],
    env: CHECKPOINTS,
  });
  await agent.turn(`read ${file}`);
  const uuid = promptId();
  await agent.turn(`edit ${file} two=>three`, { uuid });
  checkFits(await stage.read(file), 'one\nthree\n', 'the edited file');
  return { agent, file, uuid };
}

export const control: Part = {
  title: 'Control',
  scenarios: [
    {
      name: 'initialize is answered with commands, models and output styles',
      async play(stage) {
        const answer = await (await stage.start()).control('initialize');
        checkFits(answer, { output_style: 'default', account: {} });
        check(Array.isArray(answer['commands']), 'it lists no commands');
        check(listOf(answer['available_output_styles']).includes('default'), 'it has no output styles');
        checkFits(listOf(answer['models'])[0], { value: /./, displayName: /./, description: /./ });
      },
    },
    {
      name: 'initialize says where the credentials come from',
      async play(stage) {
        const accountWith = async (env: Record<string, string>) =>
          fieldsOf((await (await stage.start({ env })).control('initialize'))['account']);
        const withKey = await accountWith({});
        const withToken = await accountWith({ ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: 'sesame' });
        checkFits(withKey, { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' });
        checkFits(withToken, { tokenSource: 'ANTHROPIC_AUTH_TOKEN' });
        check(!('apiKeySource' in withToken), 'it has a key');
      },
    },
    {
      name: 'with CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS it says when it runs, asks and rests',
      misses: { '2.1.37': 'has no such events' },
      async play(stage) {
        const env = { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' };
        const agent = await stage.start({ env, onPermission: allow });
        await agent.say('run touch f.txt');
        await agent.next(({ subtype, state }) => subtype === 'session_state_changed' && state === 'idle');
        const states = agent.messages.flatMap(({ type, subtype, state }) => {
          if (type === 'result') return ['result'];
          return subtype === 'session_state_changed' ? [state] : [];
        });
        checkFits(states, ['running', 'requires_action', 'running', 'result', 'idle']);
      },
    },
    {
      name: 'a prompt sent before initialize is answered waits for it',
      async play(stage) {
        const agent = await stage.start();
        const answered = agent.control('initialize', { systemPrompt: 'You are a parrot.' });
        const { result } = await agent.turn('say hi');
        await answered;
        checkFits(result, { result: 'hi' });
        check(
          JSON.stringify(stage.lastRequest()['system']).includes('parrot'),
          'its system prompt is not used',
        );
      },
    },
    {
      name: 'a second initialize is refused, with the questions that are open',
      misses: { '2.1.325': 'answers it once more' },
      async play(stage) {
        const agent = await stage.start({ onPermission: () => new Promise(() => {}) });
        await agent.control('initialize');
        await agent.say('run touch a');
        await agent.question();
        const { error, pending_permission_requests } = await agent.refused('initialize');
        checkFits(error, /Already initialized/);
        checkFits(pending_permission_requests, [{ request: { subtype: 'can_use_tool', tool_name: 'Bash' } }]);
      },
    },
    {
      name: 'set_model changes the model from the next request on',
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say one');
        await agent.control('set_model', { model: HAIKU });
        checkFits(await agent.init(), { model: HAIKU });
        checkFits(stage.lastRequest(), { model: HAIKU });
      },
    },
    {
      name: 'set_model without a model goes back to the first',
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say one');
        const first = stage.lastRequest()['model'];
        await agent.control('set_model', { model: HAIKU });
        await agent.turn('say two');
        await agent.control('set_model', { model: 'default' });
        await agent.turn('say three');
        checkFits(stage.lastRequest(), { model: first });
      },
    },
    {
      name: 'set_permission_mode changes what is asked for',
      async play(stage) {
        const agent = await stage.start({ onPermission: allow });
        await agent.control('initialize');
        checkFits(await agent.control('set_permission_mode', { mode: 'acceptEdits' }), {
          mode: 'acceptEdits',
        });
        checkFits(await agent.init(), { permissionMode: 'acceptEdits' });
        await agent.turn(`write ${stage.path('a')} x`);
        check(agent.asked.length === 0, 'it still asks');
      },
    },
    {
      name: 'set_permission_mode refuses a mode that does not exist',
      misses: { '2.1.37': 'accepts anything' },
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say hi');
        checkFits(await agent.refused('set_permission_mode', { mode: 'nonsense' }), {
          error_code: 'invalid_mode',
        });
      },
    },
    {
      name: 'set_permission_mode refuses bypassPermissions where it was not launched for it',
      misses: { '2.1.37': 'switches to it' },
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say hi');
        await agent.refused('set_permission_mode', { mode: 'bypassPermissions' });
      },
    },
    {
      name: 'the host is told of a new permission mode by system/status',
      misses: { '2.1.37': 'says nothing' },
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say hi');
        const mark = agent.messages.length;
        await agent.control('set_permission_mode', { mode: 'plan' });
        const status = await agent.next((message) => kindOf(message) === 'system/status', mark);
        checkFits(status, { permissionMode: 'plan' });
      },
    },
    {
      name: 'set_max_thinking_tokens sets and takes away the budget',
      async play(stage) {
        const agent = await stage.start({ args: ['--model', HAIKU] });
        await agent.turn('say hi');
        await agent.control('set_max_thinking_tokens', { max_thinking_tokens: 2048 });
        await agent.turn('say hi');
        checkFits(stage.lastRequest()['thinking'], { type: 'enabled', budget_tokens: 2048 });
        await agent.control('set_max_thinking_tokens', { max_thinking_tokens: 0 });
        await agent.turn('say hi');
        const after = fieldsOf(stage.lastRequest()['thinking'])['type'];
        check(after === undefined || after === 'disabled', `then thinking is ${String(after)}`);
      },
    },
    {
      name: 'mcp_status lists the servers: none',
      async play(stage) {
        const agent = await stage.start({ args: ['--strict-mcp-config'] });
        await agent.turn('say hi');
        checkFits(await agent.control('mcp_status'), { mcpServers: [] });
      },
    },
    {
      name: 'a subtype that does not exist is refused',
      misses: { '2.1.37': 'never answers' },
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say hi');
        checkFits(await agent.refused('nonsense'), { error_code: 'unsupported_request' });
      },
    },
    {
      name: 'update_environment_variables reaches the commands',
      misses: { '2.1.325': 'ignores it' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.turn('say hi');
        await agent.send({ type: 'update_environment_variables', variables: { SIGNAL: 'green' } });
        checkFits((await agent.turn('run echo "[$SIGNAL]"')).tool, { text: '[green]' });
      },
    },
    {
      name: 'an answer that nobody waits for changes nothing',
      async play(stage) {
        const agent = await stage.start({ onPermission: deny() });
        await agent.turn('say one');
        const of = { request_id: 'nobody' };
        await agent.send({ type: 'control_response', response: { subtype: 'success', ...of, response: {} } });
        await agent.send({ type: 'control_response', response: { subtype: 'error', ...of, error: 'x' } });
        const mark = agent.messages.length;
        checkFits((await agent.turn('say two')).result, { result: 'two' });
        check(!agent.messages.slice(mark).some(({ type }) => type === 'user'), 'it does something');
      },
    },
    {
      name: 'an answer to a question of an earlier run has its call made, and the conversation goes on',
      misses: { '2.1.325': 'passes over it' },
      async play(stage) {
        const session = promptId();
        const asking = await stage.start({
          args: ['--session-id', session],
          onPermission: () => new Promise(() => {}),
        });
        await asking.turn('say before');
        await asking.say('run touch asked');
        const { input, tool_use_id } = await asking.question();
        // The official versions write their transcripts a little later.
        await sleep(WRITTEN_MS);
        process.kill(asking.pid, 'SIGKILL');
        await asking.gone();
        const agent = await stage.start({ args: ['--resume', session], onPermission: deny() });
        await agent.control('initialize');
        const response = { behavior: 'allow', updatedInput: input, toolUseID: tool_use_id };
        const answer = { subtype: 'success', request_id: 'of the earlier run', response };
        await agent.send({ type: 'control_response', response: answer });
        checkFits((await agent.rest(0)).result, { subtype: 'success', result: /^done/ });
        checkFits([await stage.has('asked'), agent.asked.length], [true, 0]);
      },
    },
    {
      name: 'an answer in the short form of agents-ui is understood',
      misses: { '2.1.37': 'ends with an error', '2.1.325': 'waits on' },
      async play(stage) {
        const agent = await stage.start({
          onPermission: (_request, { requestId }) => {
            void agent.send({
              type: 'control_response',
              request_id: requestId,
              permission: { allow: true },
            });
            return new Promise(() => {});
          },
        });
        await agent.turn('run touch asked');
        check(await stage.has('asked'), 'it did not run');
      },
    },
    {
      name: 'keep_alive is taken without a word',
      async play(stage) {
        const agent = await stage.start();
        await agent.send({ type: 'keep_alive' });
        checkFits((await agent.turn('say hi')).result, { result: 'hi' });
      },
    },
    {
      name: 'rewind_files: a dry run tells what would change',
      async play(stage) {
        const { agent, file, uuid } = await withAnEdit(stage);
        const answer = await agent.control('rewind_files', { user_message_id: uuid, dry_run: true });
        checkFits(answer, { canRewind: true, filesChanged: [file], insertions: 1, deletions: 1 });
        checkFits(await stage.read(file), 'one\nthree\n');
      },
    },
    {
      name: 'rewind_files puts the files back as they were',
      async play(stage) {
        const { agent, file, uuid } = await withAnEdit(stage);
        checkFits(await agent.control('rewind_files', { user_message_id: uuid }), { canRewind: true });
        checkFits(await stage.read(file), 'one\ntwo\n');
      },
    },
    {
      name: 'rewind_files takes a new file away',
      async play(stage) {
        const agent = await stage.start({ args: ['--permission-mode', 'acceptEdits'], env: CHECKPOINTS });
        const uuid = promptId();
        await agent.turn(`write ${stage.path('new')} text`, { uuid });
        await agent.control('rewind_files', { user_message_id: uuid });
        check((await stage.read(stage.path('new'))) === undefined, 'it is still there');
      },
    },
    {
      name: 'rewind_files takes the uuid that the replay gave to a prompt without one',
      async play(stage) {
        const agent = await stage.start({
          args: ['--permission-mode', 'acceptEdits', '--replay-user-messages'],
          env: CHECKPOINTS,
        });
        const file = stage.path('new.txt');
        const { messages } = await agent.turn(call('Write', { file_path: file, content: '1' }));
        const replay = messages.find(({ isReplay }) => isReplay === true);
        await agent.control('rewind_files', { user_message_id: replay?.['uuid'] });
        checkFits(await stage.read(file), undefined, 'the new file');
      },
    },
    {
      name: 'rewind_files refuses a message that it does not know',
      async play(stage) {
        const { agent } = await withAnEdit(stage);
        checkFits(await agent.refused('rewind_files', { user_message_id: 'nope' }), {
          error: /No file checkpoint/,
        });
      },
    },
  ],
};
