import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasProgram } from '../../../../scripts/system-tools.js';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { SandboxUnavailableError } from '../../src/sandbox/sandbox-errors.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { taskOutputTool } from '../../src/tools/task-output.ts';
import { pidIn } from '../tools/tool-bench.ts';
import { openSandbox, POLICY } from './sandbox-bench.ts';

const READ_ONLY = 'Read-only file system';

/** The number of a process outside by a time that no other process sleeps for. */
async function pidSleeping(seconds: string): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (line === `sleep\0${seconds}\0`) return pid;
  }
  return undefined;
}

describe.runIf(hasProgram('bwrap'))('a command in a sandbox', () => {
  it('[SB1] writes to the working directories and to a /tmp of its own, which lasts for the session', async () => {
    const { sh, text, session } = await openSandbox();
    const mark = crypto.randomUUID();
    expect(await sh(`echo mine > kept; echo ${mark} > /tmp/${mark}; echo home > ~/file; echo $TMPDIR`)).toBe(
      '/tmp',
    );
    expect(await sh(`cat /tmp/${mark}`)).toBe(mark);
    expect(await text('kept')).toBe('mine\n');
    expect(await readFile(join(session.home, 'file'), 'utf8')).toBe('home\n');
    expect(existsSync(join(tmpdir(), mark))).toBe(false);
  });

  it('[SB1] writes nowhere else, whatever links lead there', async () => {
    const { sh, outside, path } = await openSandbox();
    await writeFile(join(outside, 'file'), 'as it was');
    await symlink(outside, path('link'));
    await symlink(join(outside, 'file'), path('file'));
    for (const command of [
      `echo x > ${outside}/new`,
      `echo x > ${outside}/file`,
      'echo x > link/new',
      'echo x > file',
      `rm -r ${outside}`,
      `mv ${outside} ${outside}-moved`,
      `mount -o remount,rw / ; unshare -Urm mount -o remount,bind,rw ${outside}; touch ${outside}/new`,
    ]) {
      expect(await sh(command), command).toMatch(
        new RegExp(`${READ_ONLY}|Permission denied|not permitted|busy`),
      );
    }
    expect(await readdir(outside)).toEqual(['file']);
    expect(await readFile(join(outside, 'file'), 'utf8')).toBe('as it was');
  });

  it('[SB1] writes to what the settings add, less what they take away', async () => {
    const { outside } = await openSandbox();
    await mkdir(join(outside, 'open/shut'), { recursive: true });
    const { sh } = await openSandbox({
      allowWrite: [join(outside, 'open')],
      denyWrite: [join(outside, 'open/shut')],
    });
    expect(await sh(`cd ${outside}; echo 1 > open/a; echo 2 > open/shut/b; echo 3 > c`)).toContain(READ_ONLY);
    expect(await sh(`cd ${outside}; mv open/shut open/other`)).toContain('busy');
    expect(await readdir(outside, { recursive: true })).toEqual(['open', 'open/a', 'open/shut']);
  });

  it('[SB2] cannot write what decides what runs later', async () => {
    const { sh, file, path, session } = await openSandbox();
    await file('.git/config', '[core]');
    await file('.git/hooks/old', 'old');
    await file('.claude/settings.json', '{}');
    await file('.mcp.json', '{}');
    await writeFile(join(session.home, '.bashrc'), '# mine');
    for (const target of [
      '.git/config',
      '.git/hooks/pre-commit',
      '.git/hooks/old',
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.claude/new/x',
      '.mcp.json',
      '~/.bashrc',
      '~/.claude/settings.json',
    ]) {
      expect(await sh(`mkdir -p $(dirname ${target}); echo evil >> ${target}`), target).toContain(READ_ONLY);
    }
    expect(await sh('echo fine > .git/index && cat .git/index')).toBe('fine');
    expect(await readdir(path('.git/hooks'))).toEqual(['old']);
  });

  it('[SB2] cannot put a folder of its own in the place of a protected one, nor make one that is missing', async () => {
    const { sh, file, path } = await openSandbox();
    await file('.git/config', '[core]');
    for (const command of [
      'mv .git other && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit',
      'rm -rf .git; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
      'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit',
      'mkdir -p .claude; echo evil > .claude/settings.local.json',
      'mv .claude other; mkdir .claude; echo evil > .claude/settings.local.json',
    ]) {
      expect(await sh(command), command).toMatch(new RegExp(`${READ_ONLY}|busy`));
    }
    expect(await readdir(path('.git/hooks'))).toEqual([]);
    expect(await readdir(path('.claude'))).toEqual([]);
  });

  it.each(['.husky', '.vscode', '.idea'])('[SB450] cannot make %s where it is missing', async (folder) => {
    const { sh, path } = await openSandbox();
    expect(await sh(`mkdir -p ${folder}; echo evil > ${folder}/pre-commit`)).toContain(READ_ONLY);
    expect(await readdir(path(folder))).toEqual([]);
  });

  it('[SB600] cannot make an .mcp.json where it is missing; git does not see what stands there, and it is gone afterwards', async () => {
    const { sh, path, session } = await openSandbox();
    await sh('git init -q .');
    for (const command of [
      'echo evil > .mcp.json',
      'rm -rf .mcp.json; echo evil > .mcp.json',
      'mv .mcp.json other; echo evil > .mcp.json',
      'echo evil > x; mv -T x .mcp.json',
      'ln -sf /dev/zero .mcp.json',
      'mkdir -p .mcp.json/x',
    ]) {
      expect(await sh(command), command).toMatch(new RegExp(`${READ_ONLY}|busy|directory`));
      expect(existsSync(path('.mcp.json')), command).toBe(false);
    }
    await sh('rm -f x other');
    expect(await sh('git add -A && git status --porcelain')).toBe('(no output)');
    expect(await readdir(session.originalCwd)).not.toContain('.mcp.json');
  });

  it.each(['.npmrc', '.gitmodules'])(
    '[SB760] cannot make %s where it is missing; git and npm do not mind, and it is gone afterwards',
    async (name) => {
      const { sh, file, path } = await openSandbox();
      await sh('git init -q .');
      for (const command of [
        `echo evil > ${name}`,
        `rm -rf ${name}; echo evil > ${name}`,
        `mv ${name} other; echo evil > ${name}`,
        `echo evil > x; mv -T x ${name}`,
      ]) {
        expect(await sh(command), command).toMatch(new RegExp(`${READ_ONLY}|busy|directory`));
        expect(existsSync(path(name)), command).toBe(false);
      }
      await sh('rm -f x other');
      expect(await sh('git add -A && git status --porcelain')).toBe('(no output)');
      await file('package.json', '{"scripts":{"greet":"echo hello"}}');
      expect(await sh('npm run --silent greet')).toBe('hello');
    },
  );

  it('[SB760] what is there already stays what it is, and a folder without git gets no .gitmodules', async () => {
    const { sh, file } = await openSandbox();
    await file('.npmrc', 'fund=false');
    expect(await sh('npm config get fund')).toBe('false');
    expect(await sh('ls -A .gitmodules')).toContain('No such file');
  });

  it('[SB600] what a command in the background is kept from, a person can make all the same', async () => {
    const { sandbox, session, path } = await openSandbox();
    const folders = [session.originalCwd];
    const { release } = await sandbox.launch({ args: [], cwd: session.cwd, env: {}, folders });
    expect(await readdir(path('.mcp.json'))).toEqual([]);
    sandbox.makeRoom(path('.mcp.json'));
    await writeFile(path('.mcp.json'), '{}');
    release();
    expect(await readFile(path('.mcp.json'), 'utf8')).toBe('{}');
  });

  it('[SB601] cannot make the files of a shell in a home folder that it may write to', async () => {
    const { sh, session } = await openSandbox();
    Object.assign(session, { additionalDirectories: [session.home] });
    await writeFile(join(session.home, '.profile'), 'echo "profile of mine"');
    const names = ['.bashrc', '.bash_profile', '.bash_login', '.zshenv', '.zshrc', '.gitconfig', '.profile'];
    for (const name of names) {
      expect(await sh(`cd ~; rm -f ${name}; echo evil >> ${name}`), name).toMatch(READ_ONLY);
    }
    // What stands in the place of a file that is missing hides nothing that was read before.
    expect(await sh('cd ~; HOME=$PWD bash -lc true')).toBe('profile of mine');
    expect(await sh('cd ~; echo fine > mine; cat mine')).toBe('fine');
    expect(
      (await readdir(session.home)).filter((name) => !['.husky', '.idea', '.vscode'].includes(name)),
    ).toEqual(['.claude', '.profile', 'mine']);
  });

  it('[SB3] cannot read credentials, nor what the settings hide; but what they show', async () => {
    const { outside } = await openSandbox();
    await writeFile(join(outside, 'secret'), 's3cret');
    const { sh, session } = await openSandbox({ denyRead: [join(outside, 'secret')] });
    await mkdir(join(session.home, '.ssh'));
    await writeFile(join(session.home, '.ssh/id'), 's3cret');
    await writeFile(join(session.home, '.netrc'), 's3cret');
    await writeFile(join(session.home, '.claude/.credentials.json'), 's3cret');
    for (const path of [
      '~/.ssh/id',
      '~/.netrc',
      '~/.claude/.credentials.json',
      `${outside}/secret`,
      '/etc/shadow',
    ]) {
      const said = await sh(`cat ${path}; cp -r ${path} copy; cat copy`);
      expect(said, path).toMatch(/No such file|Permission denied/);
      expect(said).not.toContain('s3cret');
    }
    expect(await sh('mv ~/.ssh ~/other; cat ~/other/id')).toContain('busy');
    const options = { home: session.home, configDir: join(session.home, '.claude'), env: session.env };
    const open = await Sandbox.open({ ...POLICY, allowRead: [join(session.home, '.ssh')] }, options);
    onTestFinished(() => open.close());
    Object.assign(session, { sandbox: open });
    expect(await sh('cat ~/.ssh/id; cat ~/.netrc')).toMatch(/^Exit code 1\ns3cret\n.*Permission denied/);
  });

  it('[SB340] sees nothing of the hub of this machine, neither its token nor a socket that comes later', async () => {
    const { sh, session } = await openSandbox();
    const hub = join(session.home, '.signalbox');
    await mkdir(join(hub, 'welcome'), { recursive: true });
    await writeFile(join(hub, 'token'), 's3cret');
    const file = join(session.home, 'go');
    const said = sh(
      `touch ${file}; while [ -e ${file} ]; do sleep 0.05; done; ls -A ${hub}; cat ${hub}/token`,
    );
    await until(() => existsSync(file));
    const server = createServer().listen(join(hub, 'hub.sock'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await rm(file);
    expect(await said).toMatch(/^Exit code 1\n.*No such file/s);
    expect(await said).not.toMatch(/hub\.sock|s3cret/);
  });

  it('[SB3] does not get the keys that the agent works with', async () => {
    const { sh, session } = await openSandbox();
    Object.assign(session.env, { ANTHROPIC_API_KEY: 's3cret', MINE: 'kept' });
    const said = await sh('env; cat /proc/*/environ | tr "\\0" "\\n"');
    expect(said).toContain('MINE=kept');
    expect(said).not.toContain('s3cret');
  });

  it('[SB4] sees no process outside, and cannot end one', async () => {
    const { sh } = await openSandbox();
    const victim = spawn('sleep', ['600'], { stdio: 'ignore' });
    onTestFinished(() => void victim.kill());
    await once(victim, 'spawn');
    const said = await sh(`kill -9 ${victim.pid}; ls /proc | grep -c '^[0-9]'`);
    expect(said).toContain('No such process');
    expect(Number(said.match(/^\d+$/m)?.[0])).toBeLessThan(10);
    expect(isRunning(victim.pid ?? 0)).toBe(true);
  });

  it('[SB4] leaves nothing running, however it ends', async () => {
    const { sh, run, path } = await openSandbox();
    const [first, second, third] = [1, 2, 3].map((at) => `${at}${Math.floor(Math.random() * 1e8)}`);
    const daemon = (seconds: string | undefined): string =>
      `(setsid nohup env -i sleep ${seconds} &) ; sleep 0.05`;
    await sh(`${daemon(first)}; echo over`);
    expect(await sh(`${daemon(second)}; sleep 60`, { timeout: 500 })).toContain('was ended after 500 ms');
    const interrupt = new AbortController();
    const command = `${daemon(third)}; echo 1 > begun; sleep 60`;
    const interrupted = run(bashTool, { command }, interrupt.signal);
    await pidIn(path('begun'));
    expect(await pidSleeping(String(third))).toBeDefined();
    interrupt.abort();
    expect(await interrupted).toMatchObject({ structured: { interrupted: true } });
    for (const seconds of [first, second, third])
      await until(async () => (await pidSleeping(String(seconds))) === undefined);
  });

  it('[SB5] has no network but a loopback of its own', async () => {
    const server = createServer((socket) => socket.end('from outside')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await until(() => server.listening);
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { sh } = await openSandbox();
    expect(await sh(`exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`)).toContain('Connection refused');
    expect(await sh('exec 3<>/dev/tcp/192.0.2.1/80')).toContain('Network is unreachable');
    const talk = `const s = require('net').createServer(c => c.end('own')).listen(${port}, '127.0.0.1', () =>
      require('net').connect(${port}, '127.0.0.1').on('data', d => { console.log(String(d)); process.exit(); }))`;
    expect(await sh(`node -e "${talk}"`)).toBe('own');
  });

  it("[SB5] reaches the machine's services by their sockets only where it is told so", async () => {
    const { outside } = await openSandbox();
    const socket = join(outside, 'service');
    const server = createServer((client) => client.end('served')).listen(socket);
    onTestFinished(() => void server.close());
    await until(() => server.listening);
    const ask = `node -e "require('net').connect('${socket}').on('data', d => console.log(String(d))).on('error', e => console.log(e.code))"`;
    const closed = await openSandbox();
    expect(await closed.sh(ask)).toMatch(/EACCES|ECONNREFUSED|ENOTSOCK/);
    const open = await openSandbox({ allowUnixSockets: [socket] });
    expect(await open.sh(ask)).toBe('served');
  });

  it('[SB6] keeps its folder, its exit code and its output as without a sandbox', async () => {
    const { sh, session, path } = await openSandbox();
    await sh(`mkdir "a b'c"; cd "a b'c"; exit 3`);
    expect(session.cwd).toBe(path("a b'c"));
    expect(await sh('pwd; echo err >&2; exit 3')).toMatch(/^Exit code 3\n.*a b'c\nerr\nIt ran in a sandbox/);
    await sh('cd /');
    expect(session.cwd).toBe(session.originalCwd);
    await sh('mkfifo /tmp/pipe; rm -f /run/signalbox/note; ln -sf /tmp/pipe /run/signalbox/note; cd sub');
    expect(await sh('head -c 100000 /dev/zero | tr "\\0" x')).toContain('70000 characters were left out');
  });

  it('[SB6] runs in the background too, until it is stopped', async () => {
    const { run, sh, outside, session, path } = await openSandbox();
    const command = `touch ${outside}/new; echo $$ > begun; sleep 60`;
    const { structured } = await run(bashTool, { command, run_in_background: true });
    const id =
      structured instanceof Object && 'backgroundTaskId' in structured ? structured.backgroundTaskId : '';
    await pidIn(path('begun'));
    expect(await run(taskOutputTool, { task_id: String(id), block: false })).toMatchObject({
      content: expect.stringContaining(READ_ONLY),
    });
    await session.tasks.stopAll();
    expect(await sh('ls')).toBe('begun');
  });

  it('[SB7] is left by excluded commands, if every command of the line is one', async () => {
    const { sandbox } = await openSandbox({ excludedCommands: ['docker *', 'git', 'npm run:*'] });
    for (const command of ['docker ps', 'git status && git push', 'npm run build'])
      expect(sandbox.holds({ command }), command).toBe(false);
    for (const command of [
      'ls',
      'git status; rm -rf x',
      'git $(evil)',
      'dockerd',
      'npm test',
      'FOO=1 evil git',
    ])
      expect(sandbox.holds({ command }), command).toBe(true);
  });

  it('[SB7] is left where the model asks for it, unless the settings forbid that', async () => {
    const { sh, outside, sandbox } = await openSandbox();
    const wish = { dangerouslyDisableSandbox: true };
    await sh(`touch ${outside}/made`, wish);
    expect(existsSync(join(outside, 'made'))).toBe(true);
    expect(sandbox.autoAllows({ command: 'ls' })).toBe(false);
    const strict = await openSandbox({ mayBeLeft: false, autoAllows: true });
    expect(await strict.sh(`touch ${strict.outside}/made`, wish)).toContain(READ_ONLY);
    expect(strict.sandbox.autoAllows({ command: 'ls', ...wish })).toBe(true);
    const lax = await openSandbox({ autoAllows: true });
    expect(lax.sandbox.autoAllows({ command: 'ls' })).toBe(true);
    expect(lax.sandbox.autoAllows({ command: 'ls', ...wish })).toBe(false);
  });

  it('[SB8] leaves nothing of the sandbox behind', async () => {
    const { sh, sandbox, session, outside } = await openSandbox({ allowedDomains: ['example.com'] });
    vi.stubEnv('TMPDIR', outside);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await sh('echo kept > /tmp/file; echo mine > file; cat /tmp/file')).toBe('kept');
    expect(await readdir(outside)).toHaveLength(1);
    expect(await readdir(session.originalCwd)).toEqual(['.claude', '.husky', '.idea', '.vscode', 'file']);
    await sandbox.close();
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(session.originalCwd)).toEqual(['file']);
  });
});

describe('a sandbox that cannot be made', () => {
  it('[SB9] is refused, with what to install', async () => {
    const folder = join(tmpdir(), 'nothing-here');
    const options = { home: folder, configDir: folder, env: { PATH: folder } };
    const opened = Sandbox.open(POLICY, options);
    await expect(opened).rejects.toThrow(SandboxUnavailableError);
    await expect(Sandbox.open(POLICY, options)).rejects.toThrow('apt-get install bubblewrap');
  });

  it('[SB9] is refused where the system forbids it, with what it said', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-no-namespaces-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(
      join(folder, 'bwrap'),
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n',
    );
    await chmod(join(folder, 'bwrap'), 0o755);
    const opened = Sandbox.open(POLICY, { home: folder, configDir: folder, env: { PATH: folder } });
    await expect(opened).rejects.toThrow(
      /does not work here \(bwrap: No permissions .*user\.max_user_namespaces/,
    );
  });
});
