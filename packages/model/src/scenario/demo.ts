import type { ScenarioInput } from './schema.ts';

const BOARD = `#!/bin/sh
# departures: the next trains from Signalbox Junction
printf '%-6s %-18s %s\\n' TIME DESTINATION PLATFORM
printf '%-6s %-18s %s\\n' 09:04 'Green Branch' 1
printf '%-6s %-18s %s\\n' 09:17 'Merge Junction' 2
printf '%-6s %-18s %s\\n' 09:31 'Main Line' 3
`;

/** A short coding session that runs anywhere: a file written, read back and run, and a report. */
export const demo: ScenarioInput = {
  name: 'demo',
  description: 'a short coding session: thinks, writes a small file, reads it back, runs it, reports',
  token_delay_ms: 15,
  turns: [
    {
      name: 'trouble',
      when: { tool_result: { is_error: true } },
      say: ['That did not go through, so I stop here rather than guess:\n\n> {{lastToolResult}}'],
    },
    {
      name: 'plan',
      when: { turn: 0 },
      say: [
        {
          thinking:
            'A demonstration should leave something behind that can be run. A departures board is small, ' +
            'needs nothing but a shell, and its output is easy to check by eye.',
        },
        "I'll write a little departures board, check it, and run it once.",
        { tool: 'Write', input: { file_path: '{{cwd}}/departures.sh', content: BOARD } },
      ],
    },
    {
      name: 'check',
      when: { tool_result: { tool: 'Write' } },
      say: [
        'Written. Reading it back before I run it.',
        { tool: 'Read', input: { file_path: '{{cwd}}/departures.sh' } },
      ],
    },
    {
      name: 'run',
      when: { tool_result: { tool: 'Read' } },
      say: [
        { thinking: 'Plain printf lines and no arguments: nothing here can surprise anyone.' },
        'It reads well. Now for the real test.',
        { tool: 'Bash', input: { command: 'sh departures.sh', description: 'Show the departures board' } },
      ],
    },
    {
      name: 'report',
      when: { tool_result: { tool: 'Bash' } },
      say: [
        'All trains are running:\n\n```\n{{lastToolResult}}\n```\n\n' +
          'The board is in `departures.sh`; each train is one line, so adding another is a copy and an edit. ' +
          'The next departure for Green Branch is on platform 1.',
      ],
    },
  ],
  fallback: {
    say: [
      'That was the whole demonstration: I am a script, and this line is where it ends. ' +
        'With `--script puppet` I do what you type; with a file of your own I play that.',
    ],
  },
};
