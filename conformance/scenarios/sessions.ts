import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { check, checkFits } from '../check.ts';
import { blocksOfType, fieldsOf, isResult, listOf } from '../messages.ts';
import { ours, type Program } from '../program.ts';
import { promptId, UNASKED } from '../prompts.ts';
import type { Part, Scenario } from '../scenario.ts';
import type { Stage, StartOptions } from '../stage.ts';

/** Where an agent keeps the transcript of a session of this stage. */
function transcriptPath(stage: Stage, session: unknown, config = join(stage.home, '.claude')): string {
  return join(config, 'projects', stage.folder.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${String(session)}.jsonl`);
}

async function transcript(stage: Stage, session: unknown): Promise<JsonObject[]> {
  const text = (await stage.read(transcriptPath(stage, session))) ?? '';
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => fieldsOf(JSON.parse(line)));
}

/** One run of a program that says the prompts and ends; the last result. */
async function visit(
  stage: Stage,
  prompts: readonly string[],
  options: StartOptions = {},
  program: Program = stage.program,
): Promise<JsonObject> {
  const agent = await stage.start(options, program);
  let last: JsonObject = {};
  for (const prompt of prompts) last = (await agent.turn(prompt)).result;
  await agent.finish();
  return last;
}

/** What the model was sent last, as one text. */
function remembered(stage: Stage): string {
  return JSON.stringify(stage.lastRequest()['messages']);
}

/** One program writes, the other goes on: both ways. */
export function crossOpening(references: readonly Program[]): Scenario[] {
  const path = (writer: Program, reader: Program): Scenario => ({
    name: `${reader.label} resumes what ${writer.label} wrote`,
    programs: ['ours'],
    async play(stage) {
      const options = { args: UNASKED };
      const { session_id } = await visit(stage, ['think of blue', 'run echo teal'], options, writer);
      const args = [...UNASKED, '--resume', String(session_id)];
      const result = await visit(stage, ['say back'], { args }, reader);
      checkFits(result, { subtype: 'success', result: 'back', session_id });
      for (const words of ['of blue', 'run echo teal', 'done: teal'])
        check(remembered(stage).includes(words), `"${words}" is forgotten`);
    },
  });
  return references.flatMap((reference) => [path(reference, ours), path(ours, reference)]);
}

const sessionScenarios: readonly Scenario[] = [
  {
    name: 'the transcript is where hosts look for it, and forms a chain',
    async play(stage) {
      const { session_id } = await visit(stage, ['say one', 'run echo two'], { args: UNASKED });
      const entries = await transcript(stage, session_id);
      const spoken = entries.filter(({ type }) => type === 'user' || type === 'assistant');
      check(spoken.length === 7, `it has ${spoken.length} messages`);
      for (const entry of spoken)
        checkFits(entry, {
          uuid: /./,
          sessionId: session_id,
          cwd: stage.folder,
          timestamp: /^\d{4}-/,
          isSidechain: false,
        });
      const ids = new Set(entries.map(({ uuid }) => uuid));
      const loose = spoken.filter(({ parentUuid }) => parentUuid !== null && !ids.has(parentUuid));
      check(loose.length === 0, 'an entry has a parent that is not there');
      // The file need not be in the order of the chain.
      const first = spoken.find(({ message }) => fieldsOf(message)['content'] === 'say one');
      checkFits(first, { type: 'user', message: { role: 'user' } });
    },
  },
  {
    name: 'each block of a reply has the usage of the whole reply and the id of its request',
    misses: { '2.1.37': 'keeps the usage that the reply began with' },
    async play(stage) {
      const { session_id, usage } = await visit(stage, ['run echo two'], { args: UNASKED });
      const replies = (await transcript(stage, session_id)).filter(({ type }) => type === 'assistant');
      check(replies.length === 3, `it has ${replies.length} blocks`);
      // As programs that add transcripts up do: each request counts once.
      const requests = new Map(
        replies.map(({ requestId, message }) => [requestId, fieldsOf(fieldsOf(message)['usage'])]),
      );
      check(requests.size === 2 && !requests.has(undefined), 'requests have no ids of their own');
      const output = Array.from(requests.values(), (each) => Number(each['output_tokens']));
      checkFits(
        output.reduce((sum, tokens) => sum + tokens, 0),
        fieldsOf(usage)['output_tokens'],
        'the sum of output tokens',
      );
    },
  },
  {
    name: 'what was read before a resume can be changed after it',
    async play(stage) {
      const file = await stage.write(stage.path('f.txt'), 'one\n');
      const args = ['--permission-mode', 'acceptEdits'];
      await visit(stage, [`read ${file}`], { args });
      await visit(stage, [`edit ${file} one=>two`], { args: [...args, '--continue'] });
      checkFits(await stage.read(file), 'two\n', 'the edited file');
    },
  },
  {
    name: 'CLAUDE_CONFIG_DIR moves the transcript',
    async play(stage) {
      const config = stage.elsewhere('config');
      const { session_id } = await visit(stage, ['say one'], { env: { CLAUDE_CONFIG_DIR: config } });
      check((await stage.read(transcriptPath(stage, session_id, config))) !== undefined, 'it is not there');
    },
  },
  {
    name: '--session-id names the session',
    async play(stage) {
      const session_id = promptId();
      checkFits(await visit(stage, ['say one'], { args: ['--session-id', session_id] }), { session_id });
      check((await transcript(stage, session_id)).length > 0, 'it has no transcript');
    },
  },
  {
    name: '--session-id of a session that exists is refused',
    async play(stage) {
      const session_id = promptId();
      await visit(stage, ['say one'], { args: ['--session-id', session_id] });
      const { code, stderr } = await stage.run(['-p', '--session-id', session_id, 'say two']);
      checkFits([code, stderr], [1, /already in use|exists/i]);
    },
  },
  {
    name: '--resume goes on under the same id, with all that was said',
    async play(stage) {
      const { session_id } = await visit(stage, ['say one', 'run echo two'], { args: UNASKED });
      const result = await visit(stage, ['say three'], { args: ['--resume', String(session_id)] });
      checkFits(result, { session_id, result: 'three' });
      check(/"one"[\s\S]*run echo two[\s\S]*done: two/.test(remembered(stage)), remembered(stage));
    },
  },
  {
    name: '--resume of a session that does not exist is refused',
    async play(stage) {
      const { code, stdout, stderr } = await stage.run(['-p', '--resume', promptId(), 'say hi']);
      checkFits([code, stdout + stderr], [1, /No conversation found/]);
    },
  },
  {
    name: '--continue goes on with the newest session of the folder',
    async play(stage) {
      await visit(stage, ['say ancient']);
      const { session_id } = await visit(stage, ['say recent']);
      checkFits(await visit(stage, ['say again'], { args: ['--continue'] }), { session_id, result: 'again' });
      check(
        remembered(stage).includes('recent') && !remembered(stage).includes('ancient'),
        remembered(stage),
      );
    },
  },
  {
    name: '--fork-session goes on under a new id and leaves the old one alone',
    async play(stage) {
      const { session_id } = await visit(stage, ['say one']);
      const before = await stage.read(transcriptPath(stage, session_id));
      const fork = await visit(stage, ['say two'], {
        args: ['--resume', String(session_id), '--fork-session'],
      });
      check(fork['session_id'] !== session_id, 'it has the same id');
      check(remembered(stage).includes('"one"'), 'it has forgotten');
      check(
        before === (await stage.read(transcriptPath(stage, session_id))),
        'the old transcript has changed',
      );
      const later = await visit(stage, ['say three'], { args: ['--resume', String(fork['session_id'])] });
      checkFits(later, { session_id: fork['session_id'] });
      check(/"one"[\s\S]*"two"/.test(remembered(stage)), 'the fork cannot be resumed whole');
    },
  },
  {
    name: '--resume-session-at forgets what came later',
    async play(stage) {
      const agent = await stage.start();
      const { messages, result } = await agent.turn('say one');
      await agent.turn('say two');
      await agent.finish();
      const at = String(messages.findLast(({ type }) => type === 'assistant')?.['uuid']);
      const args = ['--resume', String(result['session_id']), '--resume-session-at', at];
      await visit(stage, ['say three'], { args });
      check(remembered(stage).includes('"one"') && !remembered(stage).includes('two'), remembered(stage));
    },
  },
  {
    name: '--resume-drops-turn has a resume refused that would leave out more than this turn',
    misses: { '2.1.37': 'does not know the flag' },
    async play(stage) {
      const agent = await stage.start({ args: UNASKED });
      const prompts = [promptId(), promptId()];
      const { messages, result } = await agent.turn('say one');
      await agent.turn('run echo two', { uuid: prompts[0] });
      await agent.finish();
      const at = String(messages.findLast(({ type }) => type === 'assistant')?.['uuid']);
      const args = ['--resume', String(result['session_id']), '--resume-session-at', at];
      const dropping = (turn: string) => [...UNASKED, ...args, '--fork-session', '--resume-drops-turn', turn];
      const fork = await stage.start({ args: dropping(prompts[0] ?? '') });
      checkFits((await fork.turn('say three')).result, { result: 'three' });
      check(!remembered(stage).includes('two'), remembered(stage));
      await fork.finish();
      for (const wrong of [prompts[1] ?? '', 'nothing']) {
        const refused = await stage.start({ args: dropping(wrong) });
        const told = await refused.next(isResult);
        checkFits(told, { subtype: 'error_during_execution', is_error: true, num_turns: 0 });
        checkFits(listOf(told['errors'])[0], /^Resume rejected by --resume-drops-turn: resuming at /);
        const { code, stderr } = await refused.gone();
        checkFits([code, stderr], [1, /^Resume rejected by --resume-drops-turn: /]);
      }
    },
  },
  {
    name: '--resume-session-at is refused without --resume',
    async play(stage) {
      const { session_id } = await visit(stage, ['say one']);
      for (const loading of [['--continue'], []]) {
        const args = ['-p', ...loading, '--resume-session-at', String(session_id), 'say two'];
        const { code, stderr } = await stage.run(args);
        check(code !== 0, 'it is taken');
        checkFits(stderr, /--resume-session-at (requires|needs) --resume/);
      }
    },
  },
  {
    name: '--fork-session works with --continue, and with nothing to fork',
    async play(stage) {
      checkFits(await visit(stage, ['say zero'], { args: ['--fork-session'] }), { result: 'zero' });
      const { session_id } = await visit(stage, ['say one']);
      const fork = await visit(stage, ['say two'], { args: ['--continue', '--fork-session'] });
      check(fork['session_id'] !== session_id, 'it has the same id');
      check(remembered(stage).includes('"one"'), 'it has forgotten');
    },
  },
  {
    name: '--session-id is refused for a session that goes on',
    async play(stage) {
      const { session_id } = await visit(stage, ['say one']);
      const args = ['-p', '--resume', String(session_id), '--session-id', promptId(), 'say two'];
      const { code, stderr } = await stage.run(args);
      check(code !== 0, 'it is taken');
      checkFits(stderr, /--fork-session/);
    },
  },
  {
    name: '--resume with --replay-user-messages repeats the new prompt, and nothing that was said before',
    async play(stage) {
      const { session_id } = await visit(stage, ['say one', 'say two']);
      const uuid = promptId();
      const agent = await stage.start({
        args: ['--resume', String(session_id), '--replay-user-messages'],
      });
      const { messages } = await agent.turn('say three', { uuid });
      checkFits(
        messages.filter(({ isReplay }) => isReplay === true),
        [{ uuid, message: { content: 'say three' } }],
      );
      check(!JSON.stringify(messages).includes('say one'), 'it repeats what was said before');
    },
  },
  {
    name: 'a prompt that was answered before is not answered again after --resume',
    async play(stage) {
      const uuid = promptId();
      const first = await stage.start();
      const { result } = await first.turn('say once', { uuid });
      await first.finish();
      const agent = await stage.start({ args: ['--resume', String(result['session_id'])] });
      await agent.say('say once', { uuid });
      checkFits((await agent.turn('say next')).result, { result: 'next' });
    },
  },
  {
    name: '--no-session-persistence leaves no transcript',
    async play(stage) {
      const { session_id } = await visit(stage, ['say one'], { args: ['--no-session-persistence'] });
      check((await transcript(stage, session_id)).length === 0, 'there is a transcript');
      const folder = join(stage.home, '.claude', 'projects');
      const left = await readdir(folder, { recursive: true }).catch(() => []);
      check(!left.some((name) => name.endsWith('.jsonl')), `it leaves ${left.join(', ')}`);
    },
  },
  {
    name: 'a session that was interrupted in mid-tool can be resumed',
    async play(stage) {
      const agent = await stage.start({ args: UNASKED });
      await agent.say('run sleep 60');
      await agent.next((message) => blocksOfType([message], 'tool_use').length > 0);
      await agent.control('interrupt');
      const { result } = await agent.rest(0);
      await agent.finish();
      const resumed = await visit(stage, ['say back'], { args: ['--resume', String(result['session_id'])] });
      checkFits(resumed, { subtype: 'success', result: 'back' });
    },
  },
  {
    name: 'a session that was killed in mid-tool can be resumed',
    misses: { '2.1.37': 'its first turn ends with error_during_execution' },
    async play(stage) {
      const session_id = promptId();
      const agent = await stage.start({ args: [...UNASKED, '--session-id', session_id] });
      await agent.turn('say before');
      await agent.say('run sleep 60');
      await agent.next((message) => blocksOfType([message], 'tool_use').length > 0);
      process.kill(agent.pid, 'SIGKILL');
      await agent.gone();
      const resumed = await visit(stage, ['say back'], { args: ['--resume', session_id] });
      checkFits(resumed, { subtype: 'success', result: 'back' });
      check(remembered(stage).includes('"before"'), 'it has forgotten');
    },
  },
];

export function sessions(references: readonly Program[]): Part {
  return { title: 'Sessions', scenarios: [...sessionScenarios, ...crossOpening(references)] };
}
