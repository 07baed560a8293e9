import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ScriptedModel, startScriptedModel } from '@signalbox/model';
import { TestRepository } from '@signalbox/testing/hub/changes-stage';
import { onTestFinished } from 'vitest';

const DELAY = `import { MAX_RETRIES } from '../config.ts';

/** How long to wait before a payment is tried again. */
export function nextDelay(attempt: number): number {
  if (attempt > MAX_RETRIES) return -1;
  return 250 * 2 ** attempt;
}
`;

const GUIDE = `# Quick start

Install the package, and make a client:

\`\`\`ts
import { Invoices } from 'billing';

const invoices = new Invoices({ currency: 'EUR' });
await invoices.send('2026-07');
\`\`\`
`;

/** What somebody has agents do. */
export const JOBS = [
  {
    folder: 'shop-api',
    mode: 'default',
    prompt: 'Why are declined cards retried? Have a look at the queue, and fix it.',
  },
  { folder: 'billing', mode: 'acceptEdits', prompt: 'Write a quick start for the billing package' },
  { folder: 'docs', mode: 'default', prompt: 'Is every command in the reference?' },
  { folder: 'search', mode: 'default', prompt: 'Find out why the index grows at night' },
] as const;

/** What another agent asks once the board was looked at. */
export const QUESTION = { folder: 'web', mode: 'default', prompt: 'Plan the release of 2.4' } as const;

/** The folders of the jobs, each a repository with something in it. */
export function addProjects(folder: string): void {
  for (const { folder: name } of [...JOBS, QUESTION]) {
    mkdirSync(join(folder, name), { recursive: true });
    const repository = new TestRepository(join(folder, name));
    repository.commit({ 'README.md': `# ${name}\n` }, 'Begin');
    repository.commit(
      {
        'src/config.ts': 'export const MAX_RETRIES = 5;\n',
        'src/queue/delay.ts': DELAY,
        'src/queue/queue.ts':
          "import { nextDelay } from './delay.ts';\n\nexport const first = nextDelay(1);\n",
      },
      'A queue for what has to be tried again',
    );
  }
}

/** What each agent says and does: their tools run for real. */
const SCENARIO = {
  name: 'pictures',
  templates: true,
  turns: [
    {
      when: { user: 'declined cards' },
      say: [
        'I look at the queue first.',
        { tool: 'Grep', input: { pattern: 'nextDelay', path: 'src' } },
        { tool: 'Read', input: { file_path: '{{cwd}}/src/queue/delay.ts' } },
      ],
    },
    {
      when: { tool_result: { tool: 'Read', text: 'nextDelay' } },
      say: [
        'Found it: the delay **doubles without a limit**, and `card_declined` is treated like a timeout.\n\n1. Give up at once when a card was declined: it never succeeds.\n2. Cap the delay, so that a retry comes while somebody still waits.\n\nThe cap first:',
        {
          tool: 'Edit',
          input: {
            file_path: '{{cwd}}/src/queue/delay.ts',
            old_string: '  return 250 * 2 ** attempt;',
            new_string:
              '  // Full jitter: many clients must not come back at once.\n  const most = Math.min(MAX_DELAY_MS, 250 * 2 ** attempt);\n  return Math.round(Math.random() * most);',
          },
        },
      ],
    },
    {
      when: { user: 'release of 2.4' },
      say: [
        'The changelog has two entries that break something for users.',
        {
          tool: 'AskUserQuestion',
          input: {
            questions: [
              {
                question: 'Which version shall it be?',
                header: 'Version',
                multiSelect: false,
                options: [
                  { label: '3.0', description: 'It breaks something: say so in the number' },
                  { label: '2.4', description: 'Keep the old names working for one more release' },
                ],
              },
            ],
          },
        },
      ],
    },
    {
      when: { user: 'quick start' },
      say: [
        'I write it beside the code.',
        { tool: 'Write', input: { file_path: '{{cwd}}/docs/quick-start.md', content: GUIDE } },
        { tool: 'Read', input: { file_path: '{{cwd}}/src/config.ts' } },
      ],
    },
    {
      when: { tool_result: { tool: 'Read', text: 'MAX_RETRIES = 5' } },
      say: [
        'The example needs a currency.',
        {
          tool: 'Edit',
          input: {
            file_path: '{{cwd}}/src/config.ts',
            old_string: 'export const MAX_RETRIES = 5;',
            new_string: "export const MAX_RETRIES = 5;\nexport const CURRENCY = 'EUR';",
          },
        },
      ],
    },
    {
      when: { tool_result: { tool: 'Edit' } },
      say: ['Done: `docs/quick-start.md` has three steps, and the example runs as it stands.'],
    },
    {
      when: { user: 'in the reference' },
      say: ['Yes: all 14 commands are there, each with an example that runs.'],
    },
    {
      when: { user: 'grows at night' },
      say: [
        'The index is written by a job at two in the morning. I look at what it keeps: ',
        { delay_ms: 600_000 },
        'done',
      ],
    },
  ],
  fallback: { say: ['That is all.'] },
};

export async function startPictureModel(): Promise<ScriptedModel> {
  const model = await startScriptedModel({ scenario: SCENARIO });
  onTestFinished(() => model.close());
  return model;
}
