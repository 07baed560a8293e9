import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HubStage, type Outcome, SIGNALBOX } from './hub-stage.ts';

// Others of the machine may run the same test.
const SECRET = `sk-piped-${crypto.randomUUID()}`;
const TYPED = `sk-typed-${crypto.randomUUID()}`;

function piped(stage: HubStage, input: string, ...words: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: stage.env, cwd: stage.project };
    const child = execFile(process.execPath, [SIGNALBOX, ...words], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** Every file below a folder that holds one of these words. */
function filesWith(folder: string, words: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    const content = readFileSync(path);
    return words.some((word) => content.includes(word));
  });
}

/** What any process of the machine shows of its command line. */
function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}

describe.runIf(process.platform === 'linux')('profiles from a terminal', () => {
  it('[CL1972] are set by a pipe and by typing unseen, reach the agent that is launched with them, and are nowhere else', async () => {
    const stage = await HubStage.start();
    const data = join(stage.home, 'data');
    expect((await stage.run('profiles')).stdout).toMatch(/^No profiles\./);
    const file = `# a comment\nexport PIPED='${SECRET}'\nREGION=eu west\n`;
    expect(await piped(stage, file, 'profiles', 'set', 'work')).toMatchObject({
      code: 0,
      stdout: 'kept work: PIPED, REGION\n',
    });
    const pane = await stage.open('profiles', 'set', 'work', 'TYPED');
    await pane.see('TYPED:');
    await pane.type(TYPED);
    await pane.press('Enter');
    await pane.see('kept work: PIPED, REGION, TYPED');
    expect(await pane.screen()).not.toContain(TYPED);
    const listed = await stage.run('profiles');
    expect(listed.stdout).toMatch(
      /^PROFILE +VARIABLES +CHANGED\nwork +PIPED, REGION, TYPED +\d+ [smh] ago\n$/,
    );
    const launch = ['run', '--agent', 'signalbox-agent', '--profile', 'work', '--yes'];
    const turn = await stage.run(...launch, 'run printf %s "$PIPED/$TYPED/$REGION" > given');
    expect(turn.code).toBe(0);
    expect(readFileSync(join(stage.project, 'given'), 'utf8')).toBe(`${SECRET}/${TYPED}/eu west`);
    expect(commandLines()).not.toMatch(new RegExp(`${SECRET}|${TYPED}`));
    expect(filesWith(data, [SECRET, TYPED])).toEqual(['profiles.json']);
    expect(statSync(join(data, 'profiles.json')).mode & 0o777).toBe(0o600);
    const [session] = (await stage.api.sessions()).items;
    const { items } = await stage.api.ask('GET /api/audit', { query: { session: session?.id ?? '' } });
    expect(items.find(({ what }) => what === 'launch')?.subject).toBe('signalbox-agent, profile work');
    // Another value is there when the agent is started again.
    await piped(stage, 'another', 'profiles', 'set', 'work', 'PIPED');
    expect((await stage.run('profiles', 'unset', 'work', 'REGION', 'TYPED')).stdout).toBe(
      'kept work: PIPED\n',
    );
    await stage.run('sessions', 'restart', session?.id ?? '');
    await stage.run('run', '--session', session?.id ?? '', '--yes', 'run printf %s "$PIPED/$TYPED" > again');
    expect(readFileSync(join(stage.project, 'again'), 'utf8')).toBe('another/');
    expect((await stage.run('profiles', 'rm', 'work')).stdout).toBe('removed work: PIPED\n');
    expect(await stage.run(...launch, 'say x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no profile work'),
    });
  });

  it('[CL1973] values are no words of the command line, and what is wrong is said without them', async () => {
    const stage = await HubStage.start();
    for (const words of [
      ['set', 'work', `KEY=${SECRET}`],
      ['set'],
      ['rm', 'a', 'b'],
      ['unset', 'work'],
      ['show', 'work'],
    ]) {
      const { code, stdout, stderr } = await stage.run('profiles', ...words);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).not.toContain(SECRET);
    }
    const broken = await piped(stage, `GOOD=1\n${SECRET}\n`, 'profiles', 'set', 'work');
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('Line 2') });
    expect(broken.stderr).not.toContain(SECRET);
    expect(await piped(stage, '', 'profiles', 'set', 'work', 'KEY')).toMatchObject({ code: 1 });
    expect(existsSync(join(stage.home, 'data', 'profiles.json'))).toBe(false);
  });
});
