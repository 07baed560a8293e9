import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as model from '@signalbox/model';
import { type ScenarioInput, startScriptedModel } from '@signalbox/model';
import { type NodeRelease, nodeReleases } from '@signalbox/testing/node-releases';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { referenceSdkEntry } from '../../../../conformance/references.ts';
import * as browser from '../../src/browser/index.ts';
import * as hub from '../../src/hub/index.ts';
import * as sdk from '../../src/index.ts';
import * as wire from '../../src/wire/index.ts';
import { type CodeSample, codeSamples, writeSamples } from './document-code.ts';
import type { InstalledPackage } from './installed-package.ts';

const run = promisify(execFile);
const releases = await nodeReleases();
const samples = await codeSamples();
let installed: InstalledPackage;
/** The programs and the code of the documents, compiled with the types that the package brings. */
let programs: string;

/** Compile them in a folder of the project that has the package. */
async function compile(): Promise<void> {
  const folder = await mkdtemp(join(installed.project, 'programs-'));
  await cp(fileURLToPath(new URL('programs', import.meta.url)), folder, { recursive: true });
  await writeSamples(samples, folder);
  await installed.link(dirname(dirname(await referenceSdkEntry('0.3.325'))));
  const options = {
    module: 'nodenext',
    types: ['node'],
    lib: ['ES2023', 'DOM', 'ESNext'],
    skipLibCheck: true,
  };
  expect(await installed.complaints(folder, options)).toBe('');
  programs = join(folder, 'out');
}

/** A person with one Node, a folder to work in, and a model that does what it is told. */
async function personWith({ folder }: NodeRelease, scenario: ScenarioInput | string = 'puppet') {
  const scripted = await startScriptedModel({ scenario });
  onTestFinished(() => scripted.close());
  const home = await mkdtemp(join(installed.project, 'home-'));
  const cwd = join(home, 'project');
  await mkdir(cwd);
  const env: Record<string, string> = {
    PATH: [join(installed.project, 'node_modules/.bin'), folder, '/usr/bin', '/bin'].join(':'),
    HOME: home,
    ANTHROPIC_BASE_URL: scripted.url,
    ANTHROPIC_API_KEY: 'scripted',
    SIGNALBOX_LOG: 'error',
  };
  const says = async (command: string, ...args: string[]): Promise<string> => {
    const running = run(command, args, { env, cwd });
    const { stdin, stdout: screen } = running.child;
    // Somebody who answers when they are asked.
    if (command === 'node')
      screen?.on('data', (text) => String(text).includes('[y/n]') && stdin?.write('y\n'));
    else stdin?.end();
    const { stdout, stderr } = await running;
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
  const url = await addressIn(child);
  const token = (await readFile(join(home, '.signalbox/token'), 'utf8')).trim();
  onTestFinished(async () => {
    const api = new hub.HubApi({ url, token });
    // Agents outlive their hub, and would outlive the test.
    for (const { id } of (await api.sessions()).items) await api.stop(id);
    child.kill('SIGTERM');
    await ended;
  });
  Object.assign(env, { SIGNALBOX_HUB: url, SIGNALBOX_TOKEN: token });
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

/** The model of the documents: it does what their prompts ask for. */
const DOCUMENTED: ScenarioInput = {
  name: 'documented',
  turns: [
    { when: { tool_result: {} }, say: ['This came of it: {{lastToolResult}}'] },
    { when: { user: 'Tidy up' }, say: [{ tool: 'Bash', input: { command: 'touch tidy; ls' } }] },
    { when: { user: 'What changed' }, say: [{ tool: 'Bash', input: { command: 'git --version' } }] },
    {
      when: { user: 'next train' },
      say: [{ tool: 'mcp__station__departures', input: { station: 'Branch End' } }],
    },
  ],
  fallback: { say: ['You said: {{lastUserText}}'] },
};

/** Each piece of code by words of its own, with what it prints. */
const PRINTED: Record<string, RegExp> = {
  "from '@anthropic-ai/claude-agent-sdk'": /'You said: Hello'/,
  "prompt: 'What is in this folder?'": /result: 'You said: What is in this folder\?'/,
  'What changed since': /This came of it: git version/,
  "from 'signalbox/wire'": /type: 'result'/,
  'await startup(': /result: 'You said: What is the answer\?'/,
  'new Client(': /You said: Which files are here\?\nYou said: And which of them is the largest\?/,
  'terminal.question': /Bash .*touch tidy; ls.*allow\? \[y\/n\] [^]*tidy/,
  'createSdkMcpServer({': /From Branch End: 09:17 to Merge Junction/,
  'connect(`${hub}': /Hello!|script/,
  'new HubStream(': /^success$/,
  'await listener.url': /^success$/,
  'loop({': /^1: You said: Mend the next failing test\.\ndone\n?$/,
  'listSessions(': /# /,
  'startScriptedModel({': /^Hi!\nanswered$/,
};

/** Runs in a page only. */
const OF_A_PAGE = "from 'signalbox/browser'";

function wordsOf({ place, text }: CodeSample): string {
  const words = Object.keys(PRINTED).filter((one) => text.includes(one));
  expect(words, `${place} must be known by one of the words`).toHaveLength(1);
  return words[0] ?? '';
}

/** What programs do with the package, on every Node that it promises to run on. */
export function describeOnEachNode(packageOf: () => InstalledPackage): void {
  beforeAll(async () => {
    installed = packageOf();
    await compile();
  });

  describe.each(releases)('the package on Node $version', (release) => {
    it('[PK220] has every export, for CommonJS as well', async () => {
      const { says, tells } = await personWith(release);
      expect(await says('node', '--version')).toBe(`v${release.version}`);
      expect(await tells('load-exports.cjs')).toEqual(
        [sdk, browser, hub, model, wire].map((entry) => Object.keys(entry).toSorted()),
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

    it('[PK221] the code of the documents runs as it stands', async () => {
      const person = await personWith(release, DOCUMENTED);
      await startHub(person);
      // As they have it who follow the README: our agent in the place of claude, and a clone that was built.
      await mkdir(join(person.home, 'bin'));
      await symlink(join(installed.folder, 'bin/signalbox-agent.js'), join(person.home, 'bin/claude'));
      await symlink(join(installed.folder, 'bin'), join(person.cwd, 'dist'));
      person.env['PATH'] = `${join(person.home, 'bin')}:${person.env['PATH']}`;
      for (const sample of samples.filter(({ text }) => !text.includes(OF_A_PAGE))) {
        const code = await readFile(join(programs, `${sample.name}.js`), 'utf8');
        const here = code.replaceAll('http://127.0.0.1:8765', person.env['SIGNALBOX_HUB'] ?? '');
        await writeFile(join(person.cwd, 'sample.js'), here);
        expect(await person.says('node', 'sample.js'), sample.place).toMatch(
          PRINTED[wordsOf(sample)] ?? /^$/,
        );
      }
    });
  });
}
