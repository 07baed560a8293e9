import type { ScenarioInput } from './schema.ts';

const MENU = `Write a word, and I do what it stands for:

- **write** — I write a small file, and ask for your permission first
- **run** — I run a harmless command, and ask as well
- **ask** — I ask you a question with answers to choose from
- **think** — I think before I answer
- **long** — I talk for half a minute: interrupt me
- **menu** — this list`;

const NOTE = `# A note from the built-in model

This file was written by a script. An agent asked for permission to write it, and somebody said yes.
`;

/** What is added to a note that an earlier session left: an agent does not write over what it has not read. */
const AGAIN = `
It was here before, and was written anew.
`;

/** Said alone, a word of the menu is heeded from the first turn on. */
const WORDS = 'write|run|ask|think|long';

const WAGONS = 300;

const WAGON_DELAY_MS = 50;

/** A word of the menu, wherever it is in what somebody typed. */
function word(pattern: string) {
  return { user: { matches: `\\b(?:${pattern})`, flags: 'i' } };
}

/** A first session for a person without a key: says what it is, and shows on a word what a session can be. */
export const welcome: ScenarioInput = {
  name: 'welcome',
  description:
    'a first session for a person without a key: says that it is a script, and shows what there is',
  token_delay_ms: 15,
  turns: [
    {
      name: 'there already',
      when: { tool_result: { tool: 'Write', text: { matches: 'has not been read' }, is_error: true } },
      say: [
        'There is one already, from an earlier session. I read it first.',
        { tool: 'Read', input: { file_path: '{{cwd}}/signalbox-note.md' } },
      ],
    },
    {
      name: 'refused',
      when: { tool_result: { is_error: true } },
      say: [
        'That did not happen, and I leave it at that:\n\n> {{lastToolResult}}\n\nWrite **menu** for the rest.',
      ],
    },
    {
      name: 'written',
      when: { tool_result: { tool: 'Write' } },
      say: ['Written: it is `signalbox-note.md` in {{cwd}}. What next? **menu** lists what there is.'],
    },
    {
      name: 'read',
      when: { tool_result: { tool: 'Read' } },
      say: [
        'Now I can write it anew, with your permission.',
        { tool: 'Write', input: { file_path: '{{cwd}}/signalbox-note.md', content: `${NOTE}${AGAIN}` } },
      ],
    },
    {
      name: 'answered',
      when: { tool_result: { tool: 'AskUserQuestion' } },
      say: ['Thank you. This is what reached me:\n\n> {{lastToolResult}}'],
    },
    {
      name: 'ran',
      when: { tool_result: {} },
      say: ['It says:\n\n```\n{{lastToolResult}}\n```'],
    },
    {
      name: 'greeting',
      when: { turn: 0, user: { matches: `^(?!\\W*(?:${WORDS})\\W*$)`, flags: 'i' } },
      say: [
        'Hello! I am the **built-in scripted model**: no key, no network, and no understanding. ' +
          'Around me everything is real: the agent that runs my tools, its permissions, the record of this session.\n\n' +
          MENU,
      ],
    },
    {
      name: 'write',
      when: word('writ|file|permi'),
      say: [
        'A small file, then. Writing takes your permission.',
        { tool: 'Write', input: { file_path: '{{cwd}}/signalbox-note.md', content: NOTE } },
      ],
    },
    {
      name: 'run',
      when: word('run|shell|command'),
      say: [
        'Let me look where we are and what time it is.',
        { tool: 'Bash', input: { command: 'sh -c "date; pwd"', description: 'Show time and folder' } },
      ],
    },
    {
      name: 'ask',
      when: word('ask|question|choose'),
      say: [
        'There is something only you can decide.',
        {
          tool: 'AskUserQuestion',
          input: {
            questions: [
              {
                question: 'Which signal shall I set?',
                header: 'Signal',
                multiSelect: false,
                options: [
                  { label: 'Green', description: 'Let the train pass' },
                  { label: 'Yellow', description: 'Let it pass, slowly' },
                  { label: 'Red', description: 'Stop it here' },
                ],
              },
            ],
          },
        },
      ],
    },
    {
      name: 'think',
      when: word('think'),
      say: [
        {
          thinking:
            'They would like to see a model think. I cannot, but I can show where it would be seen: ' +
            'in a block of its own, ahead of the answer, streamed like the rest.',
        },
        'What you see above this line is how a model thinks aloud.',
      ],
    },
    {
      name: 'long',
      when: word('long|slow|interrupt|train'),
      token_delay_ms: WAGON_DELAY_MS,
      say: [
        `A long goods train passes. Interrupt me when you have seen enough.\n\n${wagons()}\n\nThat was the whole train.`,
      ],
    },
  ],
  fallback: {
    say: [`You wrote:\n\n> {{lastUserText}}\n\nA model would have an answer; I have a menu. ${MENU}`],
  },
};

function wagons(): string {
  return Array.from({ length: WAGONS }, (_, at) => `wagon ${at + 1}`).join(', ');
}
