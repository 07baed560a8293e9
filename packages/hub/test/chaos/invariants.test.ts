import type { Author, PermissionRequest } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import type { Evidence } from './evidence.ts';
import { violationsIn } from './invariants.ts';

const AGENT: Author = { by: 'agent' };
const ANN: Author = { by: 'person', name: 'Ann', device: 'd' };
const RESPONSE = { behavior: 'allow', updatedInput: {} };

const started = (pid: number): string => `{"type":"bridge","subtype":"started","agent_pid":${pid}}`;
const prompt = (id: string): string => JSON.stringify({ type: 'user', uuid: id });
const line = (n: number): string => `{"type":"assistant", "n":${n}.0}`;
const ask = JSON.stringify({
  type: 'control_request',
  request_id: 'q',
  request: { subtype: 'can_use_tool', input: {} },
});
const answer = JSON.stringify({
  type: 'control_response',
  response: { subtype: 'success', request_id: 'q', response: RESPONSE },
});

/** A killed agent that had a prompt and got part of its reply out, and one that had another and was answered. */
function sound(): Evidence {
  const said: [Author, string][] = [
    [AGENT, started(1)],
    [ANN, prompt('one')],
    [AGENT, line(1)],
    [AGENT, started(2)],
    [ANN, prompt('two')],
    [AGENT, line(3)],
    [AGENT, ask],
    [ANN, answer],
    [AGENT, line(4)],
    [ANN, prompt('steering')],
  ];
  const record = said.map(([author, raw], at) => ({ seq: at + 1, author, raw }));
  const told = { session: 's', requestId: 'q', state: 'answered', response: RESPONSE };
  const permission: PermissionRequest = {
    session: 's',
    requestId: 'q',
    request: {},
    parent: null,
    state: 'answered',
    openedAt: 0,
    closedAt: 0,
    answer: { author: ANN, response: RESPONSE, what: 'allow', why: null },
    isDelivered: true,
  };
  const heardLast = [prompt('two'), prompt('steering'), prompt('steering'), answer];
  return {
    session: 's',
    runs: [
      { pid: 1, said: ['{"type":"stream_event"}', line(1), line(2)], heard: [prompt('one')], end: 'killed' },
      { pid: 2, said: [line(3), ask, line(4)], heard: heardLast, end: 'whole' },
    ],
    record,
    readings: [{ raws: said.slice(0, 3).map(([, raw]) => raw), seen: 3 }],
    views: [
      {
        viewer: 'v',
        entries: record.map(({ seq, raw }) => ({ seq, check: 0, text: JSON.stringify(JSON.parse(raw)) })),
      },
    ],
    admitted: [
      { clientId: 'p1', id: 'one', delivery: 'queue' },
      { clientId: 'p2', id: 'two', delivery: 'queue' },
      { clientId: 'p2', id: 'two', delivery: 'queue' },
      { clientId: 'p3', id: 'steering', delivery: 'steer' },
    ],
    told: [
      { ...told, isFirst: true },
      { ...told, isFirst: false },
    ],
    permissions: [permission],
    decisions: ['q'],
  };
}

/** What was done to sound evidence, and a word of what is said of it. */
const DOCTORED: [string, (evidence: Evidence) => unknown, string][] = [
  ['an agent line is lost', ({ record }) => record.splice(5, 1), 'is wrong at'],
  ['the last agent line is lost', ({ record }) => record.splice(8, 1), 'is missing'],
  ['a line is doubled', ({ record }) => record.splice(5, 0, ...record.slice(5, 6)), 'is wrong at'],
  [
    'a byte is another',
    ({ runs }) => runs[1]?.said.splice(0, 1, '{"type":"assistant","n":3.0}'),
    'is wrong at',
  ],
  [
    'the hub reports a gap',
    ({ record }) => record.push({ seq: 10, author: { by: 'hub' }, raw: '{"subtype":"gap"}' }),
    'gaps',
  ],
  ['what was read is gone later', ({ readings }) => readings[0]?.raws.push(line(9)), 'reading 1'],
  [
    'what was seen could not be read',
    ({ readings }) => readings.push({ raws: [], seen: 3 }),
    'was seen before',
  ],
  ['a viewer misses an entry', ({ views }) => views[0]?.entries.splice(3, 1), 'the view of v'],
  ['a viewer lacks the end', ({ views }) => views[0]?.entries.pop(), 'the view of v'],
  [
    'a viewer is told one twice',
    ({ views }) => views[0]?.entries.splice(3, 0, ...(views[0]?.entries.slice(3, 4) ?? [])),
    'the view of v',
  ],
  ['a viewer is reset', ({ views }) => views[0]?.entries.push({ reset: 'ahead' }), 'the view of v'],
  [
    'a prompt is admitted twice',
    ({ admitted }) => admitted.push({ clientId: 'p1', id: 'three', delivery: 'queue' }),
    'admitted twice',
  ],
  ['a prompt is delivered twice', ({ runs }) => runs[1]?.heard.push(prompt('two')), 'delivered 2 times'],
  [
    'a prompt with an effect is delivered again',
    ({ runs }) => runs[1]?.heard.unshift(prompt('one')),
    'delivered 2 times',
  ],
  ['a prompt reaches nobody', ({ runs }) => runs[1]?.heard.shift(), 'reached no agent'],
  ['one that steers reaches nobody', ({ runs }) => runs[1]?.heard.splice(1, 2), 'reached no agent'],
  ['prompts change places', ({ admitted }) => admitted.push(...admitted.splice(0, 1)), 'out of order'],
  ['a prompt comes from nowhere', ({ runs }) => runs[1]?.heard.push(prompt('x')), 'nobody sent'],
  ['an answer is lost', ({ runs }) => runs[1]?.heard.pop(), 'answered 0 times'],
  ['an answer is doubled', ({ runs }) => runs[1]?.heard.push(answer), 'answered 2 times'],
  ['two were first', ({ told }) => told.push(...told.slice(0, 1)), 'more than one first'],
  [
    'one is told something else',
    ({ told }) =>
      told.push({ session: 's', requestId: 'q', isFirst: false, state: 'open', response: undefined }),
    'another end',
  ],
  ['two decisions are in the log', ({ decisions }) => decisions.push('q'), 'after 2 decisions'],
];

describe('the check of all notes', () => {
  it('[FT3] finds nothing wrong with a session that lost what a killed agent had in its pipes, and steered its agent twice', () => {
    expect(violationsIn(sound())).toEqual([]);
  });

  it.each(DOCTORED)('[FT3] sees that %s', (_, doctor, word) => {
    const evidence = sound();
    doctor(evidence);
    expect(violationsIn(evidence).join('\n')).toContain(word);
  });
});
