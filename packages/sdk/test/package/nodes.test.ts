import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScriptedModel } from '@signalbox/model';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as browser from '../../src/browser/index.ts';
import * as hub from '../../src/hub/index.ts';
import * as sdk from '../../src/index.ts';
import { InstalledPackage } from './installed-package.ts';
import { type NodeRelease, nodeReleases } from './node-releases.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 300_000;

const releases = await nodeReleases();
let installed: InstalledPackage;
/** The programs, compiled with the types that the package brings. */
let programs: string;

beforeAll(async () => {
  installed = await InstalledPackage.install();
  const folder = await mkdtemp(join(installed.project, 'programs-'));
  await cp(fileURLToPath(new URL('programs', import.meta.url)), folder, { recursive: true });
  const options = { module: 'nodenext', moduleResolution: 'nodenext', types: ['node'] };
  expect(await installed.complaints(folder, options)).toBe('');
  programs = join(folder, 'out');
}, TIMEOUT_MS);

afterAll(() => installed.remove());

/** A person with one Node, a folder to work in, and a model that does what it is told. */
async function personWith({ folder }: NodeRelease) {
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(() => model.close());
  const home = await mkdtemp(join(installed.project, 'home-'));
  const cwd = join(home, 'project');
  await mkdir(cwd);
  const env: Record<string, string> = {
    PATH: [join(installed.project, 'node_modules/.bin'), folder, '/usr/bin', '/bin'].join(':'),
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
    SIGNALBOX_LOG: 'error',
  };
  const says = async (command: string, ...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(command, args, { env, cwd });
    expect(stderr).toBe('');
    return stdout.trim();
  };
  return {
    env,
    home,
    cwd,
    says,
    tells: async (name: string) => JSON.parse(await says('node', join(programs, name))),
  };
}

/** `signalbox up` of the package. What it says of its address and token goes into the environment. */
async function startHub({ env, cwd, home }: Awaited<ReturnType<typeof personWith>>): Promise<void> {
  const child = spawn('signalbox', ['up', '--port', '0', '--no-welcome'], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  env['SIGNALBOX_HUB'] = await addressIn(child);
  env['SIGNALBOX_TOKEN'] = (await readFile(join(home, '.signalbox/token'), 'utf8')).trim();
}

async function addressIn(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk);
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`the hub did not start: ${said}`);
}

describe.each(releases)('the package on Node $version', { timeout: TIMEOUT_MS }, (release) => {
  it('[PK220] has every export, for CommonJS as well', async () => {
    const { says, tells } = await personWith(release);
    expect(await says('node', '--version')).toBe(`v${release.version}`);
    expect(await tells('load-exports.cjs')).toEqual(
      [sdk, browser, hub].map((entry) => Object.keys(entry).toSorted()),
    );
  });

  it('[PK220] runs agents: query, Client, tools and permissions of a program', async () => {
    const { tells } = await personWith(release);
    expect(await tells('drive-agent.js')).toEqual({
      text: 'hello',
      time: expect.stringContaining('done: noon in Oslo'),
      asked: ['Bash'],
      turns: [expect.stringContaining('not today'), 'once more'],
    });
  });

  it('[PK220] finds, changes and stores conversations of the past', async () => {
    const { tells } = await personWith(release);
    expect(await tells('keep-sessions.js')).toEqual({
      title: 'A name',
      tag: 'kept',
      isListed: true,
      isGone: true,
      types: ['user', 'assistant'],
      mirrored: 1,
      isExported: true,
      subagents: [[], []],
    });
  });

  it('[PK220] its hub is driven by connect, HubApi, HubStream, DirectConnect and the command line', async () => {
    const person = await personWith(release);
    await startHub(person);
    expect(await person.tells('drive-hub.js')).toEqual({
      streamed: 'streamed',
      connected: expect.stringContaining('done: '),
      asked: ['Bash'],
      direct: 'direct',
      left: 0,
    });
    expect(await person.says('signalbox', 'sessions')).toContain('session');
    expect(await person.says('signalbox-agent', '-p', 'say hello')).toBe('hello');
  });
});
