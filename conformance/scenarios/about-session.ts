import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { check, checkFits } from '../check.ts';
import { fieldsOf, listOf } from '../messages.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const NO_ANSWER = { '2.1.37': 'never answers it' };

/** The entries of this type in the transcript of the one session. */
async function noted(stage: Stage, type: string): Promise<Record<string, unknown>[]> {
  const projects = stage.personal('projects');
  const name = (await readdir(projects, { recursive: true })).find((file) => file.endsWith('.jsonl')) ?? '';
  const lines = ((await stage.read(join(projects, name))) ?? '').split('\n').filter(Boolean);
  return lines.map((line) => fieldsOf(JSON.parse(line))).filter((entry) => entry['type'] === type);
}

export const aboutSession: Part = {
  title: 'About the session',
  scenarios: [
    {
      name: 'models are offered with the name that the API knows, and whether they take an effort',
      misses: { '2.1.37': 'tells neither' },
      async play(stage) {
        const { models } = await (await stage.start()).control('initialize');
        const byName = new Map(listOf(models).map((model) => [fieldsOf(model)['value'], fieldsOf(model)]));
        for (const name of ['default', 'opus', 'sonnet', 'haiku']) {
          checkFits(byName.get(name), {
            resolvedModel: name === 'default' ? /^claude-/ : new RegExp(`^claude-${name}-`),
            supportsEffort: true,
          });
          const levels = listOf(byName.get(name)?.['supportedEffortLevels']);
          checkFits(levels, ['low', 'medium', 'high', 'xhigh', 'max']);
        }
      },
    },
    {
      name: 'get_context_usage tells what fills the context, and what is kept for a compaction',
      misses: NO_ANSWER,
      async play(stage) {
        await stage.trust();
        await stage.write(stage.path('CLAUDE.md'), 'be kind to everybody');
        const agent = await stage.start();
        await agent.turn('say hi');
        const usage = await agent.control('get_context_usage');
        checkFits(usage, {
          maxTokens: 1_000_000,
          rawMaxTokens: 1_000_000,
          isAutoCompactEnabled: true,
          autoCompactThreshold: 967_000,
        });
        checkFits(fieldsOf(listOf(usage['memoryFiles'])[0]), {
          path: stage.path('CLAUDE.md'),
          type: 'Project',
        });
        const kinds = new Map(
          listOf(usage['categories']).map((row) => [fieldsOf(row)['id'], fieldsOf(row)['kind']]),
        );
        const parts = ['system_prompt', 'system_tools', 'memory_files', 'messages'];
        for (const id of parts) checkFits(kinds.get(id), 'used', id);
        checkFits([kinds.get('autocompact_buffer'), kinds.get('free_space')], ['buffer', 'free']);
        check(listOf(usage['gridRows']).length > 0, 'there is no picture');
        check(
          fieldsOf(usage['apiUsage'])['output_tokens'] !== undefined,
          'it does not tell what was counted',
        );
      },
    },
    {
      name: 'generate_session_title names the session, and keeps the name where it is asked to',
      misses: NO_ANSWER,
      async play(stage) {
        const agent = await stage.start();
        const title = (description: string, persist = false) =>
          agent.control('generate_session_title', { description, persist });
        checkFits(await title('the gate of the garden'), { title: /^the gate of the garden/i });
        checkFits(await title('fix it'), { title: null });
        checkFits(await title('all about the signal box', true), { title: /signal box/ });
        checkFits(await title('something else by now', true), { title: /signal box/ });
        await agent.refused('generate_session_title', { description: 7 });
        await agent.turn('say hi');
        await agent.finish();
        checkFits((await noted(stage, 'ai-title'))[0], { aiTitle: /signal box/ });
      },
    },
    {
      name: 'a transcript ends with what a person said last',
      misses: { '2.1.37': 'notes it never' },
      async play(stage) {
        const agent = await stage.start();
        await agent.turn(`say ${'long words '.repeat(30)}`);
        await agent.turn([{ type: 'text', text: 'say two\nlines' }]);
        await agent.turn('/cost');
        await agent.finish();
        const last = (await noted(stage, 'last-prompt')).at(-1);
        checkFits(last, { lastPrompt: 'say two lines', leafUuid: /^[0-9a-f-]{36}$/ });
      },
    },
  ],
};
