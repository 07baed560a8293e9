import type { ScenarioInput } from './schema.ts';

/** Does what the user types: the model of interactive tests and of the recorded wire traffic. */
export const puppet: ScenarioInput = {
  name: 'puppet',
  description: 'does what you type: say, think, slow, run, read, write, edit, call <tool> <json>',
  turns: [
    { name: 'done', when: { tool_result: {} }, say: ['done: {{lastToolResult}}'] },
    {
      name: 'call',
      when: { user: { matches: '^call (\\S+) (\\{[\\s\\S]*\\})$' } },
      say: ['ok', { tool: '{{1}}', input: '{{2|json}}' }],
    },
    {
      name: 'run',
      when: { user: { matches: '^run ([\\s\\S]+)$' } },
      say: ['ok', { tool: 'Bash', input: { command: '{{1}}', description: 'run it' } }],
    },
    {
      name: 'write',
      when: { user: { matches: '^write (\\S+) ([\\s\\S]*)$' } },
      say: ['ok', { tool: 'Write', input: { file_path: '{{1}}', content: '{{2}}' } }],
    },
    {
      name: 'edit',
      when: { user: { matches: '^edit (\\S+) ([\\s\\S]*?)=>([\\s\\S]*)$' } },
      say: ['ok', { tool: 'Edit', input: { file_path: '{{1}}', old_string: '{{2}}', new_string: '{{3}}' } }],
    },
    {
      name: 'read',
      when: { user: { matches: '^read (\\S+)$' } },
      say: ['ok', { tool: 'Read', input: { file_path: '{{1}}' } }],
    },
    {
      name: 'think',
      when: { user: { matches: '^think ([\\s\\S]+)$' } },
      say: [{ thinking: 'let me think' }, '{{1}}'],
    },
    { name: 'slow', when: { user: { matches: '^slow (\\d+)$' } }, say: ['{{1|words}}'], token_delay_ms: 20 },
    { name: 'say', when: { user: { matches: '^say ([\\s\\S]+)$' } }, say: ['{{1}}'] },
  ],
  fallback: { say: ['echo: {{lastUserText}}'] },
};
