import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { localAgents } from '../src/local-agents.ts';
import { readAgentDefinitions } from '../src/up/agent-definitions.ts';

function homeWith(agents: unknown): string {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.json'), JSON.stringify({ agents }));
  return home;
}

const WRONG: readonly [what: string, agents: unknown, problem: string][] = [
  ['a list', [], '"agents" takes an object'],
  ['a name with a space', { 'my agent': { command: ['x'] } }, 'in "agents" has up to 64 letters'],
  ['a name that is a path', { '../x': { command: ['x'] } }, 'in "agents" has up to 64 letters'],
  [
    'the name of an own agent',
    { claude: { command: ['x'] } },
    '"claude" in "agents" is the name of an agent that Signalbox brings',
  ],
  [
    'such a name in capitals',
    { Custom: { command: ['x'] } },
    '"Custom" in "agents" is the name of an agent that Signalbox brings',
  ],
  ['a text', { mine: 'x' }, 'agent "mine" takes an object'],
  ['an unknown setting', { mine: { command: ['x'], shell: true } }, '"shell" is no setting of it'],
  ['no command', { mine: {} }, '"command" takes a list of words'],
  ['an empty command', { mine: { command: [] } }, '"command" takes a list of words'],
  ['a command in one text', { mine: { command: 'x --y' } }, '"command" takes a list of words'],
  ['a number in a command', { mine: { command: ['x', 1] } }, '"command" takes a list of words'],
  ['a path from nowhere', { mine: { command: ['./x'] } }, 'begins with a name in PATH'],
  ['another mode', { mine: { command: ['x'], mode: 'pty' } }, '"mode" takes "sdk" or "terminal"'],
  [
    'a number as variable',
    { mine: { command: ['x'], env: { KEY: 55_555 } } },
    '"env" takes an object of texts',
  ],
  [
    'a variable with =',
    { mine: { command: ['x'], env: { 'A=B': '55555' } } },
    '"env" takes an object of texts',
  ],
  ['a title of two lines', { mine: { command: ['x'], title: 'a\nb' } }, '"title" takes a text'],
  ['too many', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, {}])), 'takes up to 100'],
];

describe('agents of config.json', () => {
  it.each(WRONG)('[CL1810] with %s are refused, and it is said where', (_, agents, problem) => {
    const home = homeWith(agents);
    const read = () => readAgentDefinitions(home);
    expect(read).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }));
    expect(read).toThrow(problem);
    expect(read).toThrow(join(home, 'config.json'));
    // Values of variables are secrets.
    expect(read).not.toThrow(/55.?555/);
  });

  it('[CL1810] that are wrong end the start of a hub', async () => {
    const up = runUp(UP, homeWith({ claude: { command: ['/bin/true'] } }));
    expect(await up.exited).toEqual([1, null]);
    expect(up.errors()).toContain('"claude" in "agents" is the name of an agent that Signalbox brings');
  });

  it('[CL1810] are looked for in PATH, after the own ones, and say why they are not there', () => {
    const definitions = readAgentDefinitions(
      homeWith({
        mine: { command: ['sh', '-c', 'true'], title: 'Mine', env: { A: 'b' } },
        away: { command: ['/nowhere/agent'], mode: 'terminal' },
        gone: { command: ['no-such-program'] },
      }),
    );
    const agents = localAgents(['signalbox'], { PATH: '/nowhere:/bin' }, definitions);
    expect(agents.map(({ name }) => name).slice(3)).toEqual(['mine', 'away', 'gone']);
    expect(agents[3]).toMatchObject({ title: 'Mine', command: ['/bin/sh', '-c', 'true'], view: 'sdk' });
    expect(agents[4]).toMatchObject({
      command: null,
      view: 'terminal',
      why: expect.stringContaining('not there'),
    });
    expect(agents[5]).toMatchObject({ command: null, why: expect.stringContaining("not in the hub's PATH") });
    expect(readAgentDefinitions(temporaryFolder())).toEqual([]);
  });
});
