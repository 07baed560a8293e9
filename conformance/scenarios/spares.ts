import { join } from 'node:path';
import { check, checkFits } from '../check.ts';
import { fieldsOf, isResult, listOf } from '../messages.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const UNKNOWN = { '2.1.37': 'does not know --await-claim' };
const NO_ANSWER = { '2.1.37': 'never answers it' };

/** An agent that waits in a folder of its own, where there is something that is none of the session's. */
async function parked(stage: Stage, ...args: string[]) {
  await stage.write(stage.elsewhere('CLAUDE.md'), 'of the folder where it waits');
  await stage.write(stage.elsewhere('.claude/commands/parked.md'), 'do nothing');
  return stage.start({ args: ['--await-claim', ...args], cwd: stage.elsewhere('') });
}

function names(offered: unknown): unknown[] {
  return listOf(offered).map((entry) => fieldsOf(entry)['name']);
}

/** The titles in the transcript of the one session. */
async function titles(stage: Stage, id: unknown): Promise<string> {
  const key = stage.folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
  return (await stage.read(join(stage.personal('projects'), key, `${String(id)}.jsonl`))) ?? '';
}

export const spares: Part = {
  title: 'Started ahead',
  scenarios: [
    {
      name: 'an agent that was started ahead becomes the session that it is claimed for',
      misses: UNKNOWN,
      async play(stage) {
        await stage.trust();
        await stage.write(stage.path('CLAUDE.md'), 'of the session');
        await stage.write(stage.path('.claude/commands/claimed.md'), 'do something');
        const agent = await parked(stage, '--session-id', '11111111-1111-4111-8111-111111111111');
        const offer = await agent.control('initialize');
        check(names(offer['commands']).includes('parked'), 'what it has where it waits is not told');
        const claim = await agent.control('claim_session', { cwd: stage.folder, include_initialize: true });
        checkFits(claim, {
          status: 'ok',
          cwd: stage.folder,
          session_id: '11111111-1111-4111-8111-111111111111',
          sdk_mcp_settled: true,
        });
        const claimed = names(fieldsOf(claim['initialize'])['commands']);
        check(claimed.includes('claimed') && !claimed.includes('parked'), 'it tells what another folder has');
        checkFits(await agent.init(), { cwd: stage.folder, session_id: claim['session_id'] });
        check(stage.sent().includes('of the session'), 'the model does not hear of the session’s folder');
        check(!stage.sent().includes('where it waits'), 'the model hears of the folder where it waited');
        checkFits(await agent.turn('run pwd'), { tool: { text: stage.folder } });
      },
    },
    {
      name: 'a claim carries mode, instructions, agents, folders and a title; what was said before it holds',
      misses: UNKNOWN,
      async play(stage) {
        const agent = await parked(stage);
        await agent.control('initialize', {
          appendSystemPrompt: 'said at the start',
          agents: { first: { description: 'd', prompt: 'p' } },
        });
        await agent.control('set_model', { model: 'haiku' });
        await agent.control('apply_flag_settings', { settings: { effortLevel: 'high' } });
        const claim = await agent.control('claim_session', {
          cwd: stage.folder,
          permission_mode: 'acceptEdits',
          append_system_prompt: 'said with the claim',
          agents: { second: { description: 'd', prompt: 'p' } },
          title: 'A name',
          env: { CLAUDE_CODE_HOST_SESSION_ID: 'mine' },
          additional_directories: [stage.elsewhere(''), 'not-there'],
        });
        const init = await agent.init();
        checkFits(init, { permissionMode: 'acceptEdits', model: /haiku/ });
        const agents = listOf(init['agents']);
        check(agents.includes('first') && agents.includes('second'), 'agents are missing');
        check(stage.sent().includes('said with the claim'), 'the instructions of the claim are not there');
        check(!stage.sent().includes('said at the start'), 'the instructions of the start are still there');
        checkFits(fieldsOf(stage.lastRequest()['output_config']), { effort: 'high' });
        checkFits(await agent.turn(`write ${stage.elsewhere('new.txt')} text`), { tool: { isError: false } });
        await agent.finish();
        check(
          (await titles(stage, claim['session_id'])).includes('"customTitle":"A name"'),
          'it has no name',
        );
      },
    },
    {
      name: 'a claim that cannot be granted is refused by name, and the next one is heard; a second one is not',
      misses: UNKNOWN,
      async play(stage) {
        await stage.write(stage.path('file'), '');
        const agent = await parked(stage);
        const refused = async (fields: Record<string, unknown>, word: RegExp): Promise<void> => {
          const answer = await agent.refused('claim_session', { cwd: stage.folder, ...fields });
          checkFits(answer['error'], word);
        };
        await refused({ cwd: 7 }, /^invalid_request: .*cwd/);
        await refused({ cwd: '' }, /^invalid_request: .*cwd/);
        await refused({ cwd: stage.path('nowhere') }, /^cwd_not_found: /);
        await refused({ cwd: stage.path('file') }, /^cwd_not_a_directory: /);
        await refused({ permission_mode: 'none' }, /^permission_mode_not_claimable: /);
        await refused({ permission_mode: 'bypassPermissions' }, /^permission_mode_not_claimable: .*launched/);
        await refused({ env: { PATH: '/' } }, /^env_key_not_claimable: PATH /);
        checkFits(await agent.control('claim_session', { cwd: stage.folder }), { status: 'ok' });
        await refused({}, /^not_a_spare: /);
      },
    },
    {
      name: 'before a claim a prompt is refused with a result, and so is what needs a session',
      misses: UNKNOWN,
      async play(stage) {
        const agent = await parked(stage);
        checkFits(await agent.turn('say hi'), {
          result: { subtype: 'error_during_execution', is_error: true, errors: [/^not_claimed: /] },
        });
        checkFits(await agent.refused('read_file', { path: 'x' }), { error: /^not_claimed: / });
        check(stage.requests().length === 0, 'the model was asked');
        const mark = agent.messages.length;
        // What follows a claim at once is for the session.
        const claimed = agent.control('claim_session', { cwd: stage.folder });
        await agent.say('say hello');
        checkFits(await claimed, { status: 'ok' });
        checkFits(await agent.next(isResult, mark), { subtype: 'success', result: 'hello' });
        checkFits(await agent.finish(), { code: 0 });
      },
    },
    {
      name: 'one whose host leaves before a claim ends well, unless it was asked something',
      misses: UNKNOWN,
      async play(stage) {
        const agent = await parked(stage);
        await agent.control('initialize');
        checkFits(await agent.finish(), { code: 0 });
        const asked = await parked(stage);
        await asked.turn('say hi');
        checkFits(await asked.finish(), { code: 1 });
      },
    },
    {
      name: '--await-claim without stream-json, and with a session that goes on, is refused',
      async play(stage) {
        const refused = async (...args: string[]): Promise<void> => {
          const { code, stderr } = await stage.run(['-p', '--await-claim', ...args]);
          checkFits({ code, stderr }, { code: 1, stderr: /--?await-claim/ });
        };
        await refused('say hi');
        const driven = ['--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'];
        await refused(...driven, '--continue');
        await refused(...driven, '--resume', '11111111-1111-4111-8111-111111111111');
      },
    },
    {
      name: 'apply_flag_settings changes model, effort, rules and output style of a session that runs',
      misses: NO_ANSWER,
      async play(stage) {
        const agent = await stage.start();
        const apply = (settings: unknown) => agent.control('apply_flag_settings', { settings });
        checkFits(await agent.turn('run touch one'), { tool: { isError: true } });
        await apply({ model: 'haiku', effortLevel: 'high', permissions: { allow: ['Bash(touch:*)'] } });
        checkFits(await agent.turn('run touch two'), { tool: { isError: false } });
        checkFits(stage.lastRequest(), { model: /haiku/, output_config: { effort: 'high' } });
        await apply({ permissions: { deny: ['Bash'] }, outputStyle: 'Explanatory' });
        checkFits(await agent.turn('run touch three'), { tool: { isError: true } });
        checkFits(await agent.init(), { output_style: 'Explanatory', model: /haiku/ });
        await apply({ model: null, permissions: null });
        check(!/haiku/.test(String((await agent.init())['model'])), 'the model stays');
        await agent.refused('apply_flag_settings', { settings: { model: 7 } });
        await agent.refused('apply_flag_settings', { settings: null });
        checkFits(await agent.init(), { output_style: 'Explanatory' });
      },
    },
  ],
  notes: [
    '2.1.325 refuses to become the session of a folder whose settings set `env`, `agent`, `model` or a default mode, since it has read them already by then; ours makes the session when it is claimed, and takes them.',
  ],
};
