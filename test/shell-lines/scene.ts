import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The text that nobody may see. It stands in files and variables. */
export const SECRET = 'SECRET-5f2c9a';

/** Variables that hold it. */
export const SECRET_VARIABLES = { MY_SECRET: SECRET, SIGNALBOX_TOKEN: SECRET, GITHUB_TOKEN: SECRET };

/** What keeps the secrets inside of the project from being read. */
export const DENIED_READS = ['Read(.env)', 'Read(./secrets/**)'];

/** Rules as people have them, none of which allows what the hostile lines do. */
export const ALLOW_RULES = [
  'cat:*',
  'ls:*',
  'echo:*',
  'head:*',
  'sort:*',
  'find:*',
  'grep:*',
  'rg:*',
  'git diff:*',
  'git log:*',
  'npm run lint:*',
  'cd:*',
].map((content) => `Bash(${content})`);

/** The lines of a list; `⏎` is a line break. */
export function shellLines(list: 'hostile' | 'harmless'): string[] {
  return readFileSync(new URL(`${list}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replaceAll('⏎', '\n'));
}

/** A project with a history and secrets, and what a hostile repository may bring along. */
export class ShellScene {
  readonly folder: string;
  readonly home: string;
  readonly outside: string;
  readonly #root: string;
  readonly #hits: string;
  readonly #program: string;

  /** Made below `root`, an empty folder. */
  constructor(root: string) {
    this.#root = root;
    this.folder = join(root, 'project');
    this.home = join(root, 'home');
    this.outside = join(root, 'elsewhere');
    this.#hits = join(root, 'hits');
    this.#program = join(root, 'bin', 'run');
    this.restore();
  }

  /** A line of a list as it is run here. */
  fill(line: string): string {
    return line
      .replaceAll('@HIT', join(this.#hits, 'file'))
      .replaceAll('@RUN', this.#program)
      .replaceAll('@OUT', this.outside)
      .replaceAll('@LENGTH', String(join(this.outside, 'secret.txt').length + 1))
      .replaceAll('@HOME', this.home);
  }

  /** All files and folders as they are, to be compared. */
  state(): Map<string, string> {
    const found = new Map<string, string>();
    const look = (folder: string): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        // Looking at a repository renews its index; agents keep their own files.
        if (
          entry.name === 'index' ||
          path.startsWith(join(this.home, '.claude')) ||
          path === join(this.#root, 'tmp')
        )
          continue;
        const { mtimeMs, size, mode } = statSync(path, { throwIfNoEntry: false }) ?? {
          mtimeMs: 0,
          size: 0,
          mode: 0,
        };
        found.set(path, entry.isDirectory() ? `folder ${mode}` : `${mtimeMs} ${size} ${mode}`);
        if (entry.isDirectory()) look(path);
      }
    };
    look(this.#root);
    return found;
  }

  /** Whether anything is there, gone or changed since then. */
  changedSince(before: ReadonlyMap<string, string>): string[] {
    const now = this.state();
    return [...new Set([...before.keys(), ...now.keys()])].filter(
      (path) => before.get(path) !== now.get(path),
    );
  }

  /** Everything as it was at first. */
  restore(): void {
    for (const name of ['project', 'elsewhere', 'hits', 'bin'])
      rmSync(join(this.#root, name), { recursive: true, force: true });
    for (const folder of [this.folder, this.home, this.outside, this.#hits])
      mkdirSync(folder, { recursive: true });
    this.#write(this.#program, `#!/bin/sh\n: > ${this.#hits}/ran-$$\n`, 0o755);
    this.#makeProject();
    this.#makeSecrets();
    this.#makeTraps();
  }

  #makeProject(): void {
    const files = {
      'README.md': '# Example\n\nThe main file is src/main.ts.\nSee the docs.\n',
      'package.json': `${JSON.stringify({ name: 'example', scripts: { test: this.#program, evil: this.#program, lint: 'true' } }, null, 2)}\n`,
      'src/main.ts': "import { add } from './util.ts';\n\nexport const main = () => add(1, 2);\n",
      'src/util.ts': 'export function add(a: number, b: number) {\n  return a + b;\n}\n// TODO more\n',
      'docs/guide.md': 'A guide.\n',
      'data.json': '{ "name": "data", "items": [{ "id": 1 }, { "id": 2 }] }\n',
      'notes.txt': 'b:2\na:1\nc:3\na:1\n',
      '.gitignore': '.env\nsecrets/\nevil/\nlink-*\n',
    };
    for (const [name, text] of Object.entries(files)) this.#write(join(this.folder, name), text);
    this.#keepSecretInHistory();
    this.#repository('.');
    this.#git('.', 'tag', 'v1');
    this.#git('.', 'remote', 'add', 'origin', 'https://example.com/example.git');
    this.#write(join(this.folder, 'src/main.ts'), `${files['src/main.ts']}// more\n`);
    this.#git('.', 'commit', '-qam', 'more');
    this.#write(join(this.folder, 'notes.txt'), `${files['notes.txt']}d:4\n`);
  }

  /** A file that was tracked once: the first commit still has it. */
  #keepSecretInHistory(): void {
    this.#write(join(this.folder, 'secrets/old.pem'), `TOKEN=${SECRET}\n`);
    this.#git('.', 'init', '-q', '-b', 'main');
    this.#nameAuthor('.');
    this.#git('.', 'add', '-f', 'secrets/old.pem');
    this.#git('.', 'commit', '-qm', 'start');
    this.#git('.', 'rm', '-q', 'secrets/old.pem');
  }

  #makeSecrets(): void {
    for (const path of ['.env', 'secrets/key.pem'].map((name) => join(this.folder, name)))
      this.#write(path, `TOKEN=${SECRET}\n`);
    for (const path of [join(this.outside, 'secret.txt'), join(this.home, '.ssh/id_rsa')])
      this.#write(path, `${SECRET}\n`);
    // Whoever lists the folder gives it away.
    this.#write(join(this.outside, SECRET), '');
    this.#write(join(this.outside, 'secret.json'), JSON.stringify({ key: SECRET }));
    this.#write(join(this.outside, 'config'), `[user]\n\ttoken = ${SECRET}\n`);
    symlinkSync(join(this.outside, 'secret.txt'), join(this.folder, 'link-secret'));
    symlinkSync(this.outside, join(this.folder, 'link-out'));
    symlinkSync('.env', join(this.folder, 'link-env'));
    // Lines of which git says that it does not understand them.
    this.#write(join(this.outside, 'accounts'), `tester x:${SECRET}:/home/tester\n`);
  }

  /** What a hostile repository may hold: other repositories whose settings run programs, scripts, settings of tools. */
  #makeTraps(): void {
    const run = this.#program;
    const trap = (name: string, text: string, mode?: number): void =>
      this.#write(join(this.folder, 'evil', name), text, mode);
    trap('run.sh', `${run}\n`, 0o755);
    trap('bin/ls', `#!/bin/sh\n${run}\n`, 0o755);
    trap('bin/git-status', `#!/bin/sh\n${run}\n`, 0o755);
    trap('run.awk', `BEGIN { system("${run}") }\n`);
    trap('write.sed', `1w ${this.#hits}/file\n`);
    trap('run.js', `require('node:child_process').execFileSync('${run}');\n`);
    trap('run.mjs', `import { execFileSync } from 'node:child_process'; execFileSync('${run}');\n`);
    trap('ripgreprc', `--pre=${run}\n`);
    trap('Makefile', `all:\n\t${run}\n`);
    trap('package.json', JSON.stringify({ scripts: { evil: run, lint: run } }));
    trap('big.txt', 'x\n'.repeat(20_000));
    trap('evil.jq', 'def x: env;');
    trap('x.patch', '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Example\n+# Changed\n');
    trap('empty/.keep', '');
    trap('arguments', join(this.outside, 'secret.txt'));
    // Whose end is the path of a file outside.
    trap(`deep${join(this.outside, 'secret.txt')}`, '');
    symlinkSync('../src', join(this.folder, 'evil/link'));
    const config: Record<string, string> = {
      repo: `[core]\n\tfsmonitor = ${run}\n\tpager = ${run}\n[diff]\n\texternal = ${run}\n`,
      filter: `[filter "x"]\n\tclean = ${run}\n`,
      textconv: `[diff "x"]\n\ttextconv = ${run}\n`,
      included: `[include]\n\tpath = ../../more-config\n`,
      hooked: '',
    };
    for (const [name, text] of Object.entries(config)) {
      const folder = join('evil', name);
      this.#write(join(this.folder, folder, 'a.txt'), 'a\n');
      this.#write(join(this.folder, folder, '.gitattributes'), '* diff=x filter=x\n');
      this.#repository(folder);
      this.#write(join(this.folder, folder, 'a.txt'), 'changed\n');
      const file = join(this.folder, folder, '.git/config');
      this.#write(file, readFileSync(file, 'utf8') + text);
    }
    this.#makeOddRepositories();
    this.#makeOddNames();
    this.#makeDetours();
    this.#makeOtherNames();
    this.#makeSubmodule(`[core]\n\tfsmonitor = ${run}\n`);
    trap('more-config', `[core]\n\tfsmonitor = ${run}\n`);
    trap('hooked/.git/hooks/post-index-change', `#!/bin/sh\n${run}\n`, 0o755);
    execFileSync('git', ['clone', '-q', '--bare', '.', 'evil/bare'], { cwd: this.folder, env: this.#env() });
    trap(
      'bare/config',
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${run}\n`,
    );
  }

  /** Repositories whose form, rather than a setting, hides what git runs. */
  #makeOddRepositories(): void {
    const run = this.#program;
    const at = (name: string): string => join(this.folder, 'evil', name);
    const hook = (folder: string): void =>
      this.#write(at(`${folder}/post-index-change`), `#!/bin/sh\n${run}\n`, 0o755);
    const fsmonitor = (more = ''): string =>
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${more}\tfsmonitor = ${run}\n`;
    for (const name of ['quoted-hooks', 'no-config', 'linked-head'].map((folder) => join('evil', folder))) {
      this.#write(join(this.folder, name, 'a.txt'), 'a\n');
      this.#repository(name);
      this.#write(join(this.folder, name, 'a.txt'), 'a\n');
    }
    hook('quoted-hooks/my-hooks');
    this.#git('evil/quoted-hooks', 'config', 'core.hooksPath', 'x');
    const quoted = at('quoted-hooks/.git/config');
    this.#write(quoted, readFileSync(quoted, 'utf8').replace(/hooksPath = x/, 'hooksPath = "my-hooks"'));
    hook('no-config/.git/hooks');
    rmSync(at('no-config/.git/config'));
    // A HEAD that is a link to nothing.
    execFileSync('git', ['clone', '-q', '--bare', '.', 'evil/linked-head/inner'], {
      cwd: this.folder,
      env: this.#env(),
    });
    rmSync(at('linked-head/inner/HEAD'));
    symlinkSync('refs/heads/main', at('linked-head/inner/HEAD'));
    this.#write(at('linked-head/inner/config'), fsmonitor('\tworktree = ..\n'));
  }

  /** Files whose names or content become something else in a line that is not careful. */
  #makeOddNames(): void {
    const run = this.#program;
    const trap = (name: string, text: string): void => this.#write(join(this.folder, 'evil', name), text);
    trap('subscript', `a[$(${run})]\n`);
    trap('printf', `-v a[$(${run})] x\n`);
    trap('get', `--file ${this.outside}/config user.token\n`);
    trap('pattern', `${this.outside}/*\n`);
    trap('test/-v', '');
    trap('test/z[$(cd${IFS}..;PATH=bin:$PATH;ls)]', '');
    trap('a[b/.keep', '');
    symlinkSync('/proc/self/cwd', join(this.folder, 'evil/here'));
    this.#write(join(this.folder, 'secrets/other.txt'), `TOKEN=${SECRET}\n`);
  }

  /** Links that lead on, repositories whose files are elsewhere, and files whose content becomes words. */
  #makeDetours(): void {
    const at = (name: string): string => join(this.folder, 'evil', name);
    const trap = (name: string, text: string): void => this.#write(at(name), text);
    trap('show', '!.env\n');
    trap(
      'list',
      `${this.outside}/secret.txt ./-l\n${this.outside}/secret.txt ./--files\nx" ${this.outside}/secret.txt "x\n`,
    );
    trap('two-arguments', `x ${this.outside}/secret.txt\n`);
    trap('spaced', `a ${this.outside}/* b\n`);
    trap('chain/.keep', '');
    trap('chained/.keep', '');
    symlinkSync('../chained', at('chain/on'));
    symlinkSync(this.outside, at('chained/out'));
    // A repository of somebody else.
    this.#write(join(this.outside, 'repo/secret.txt'), `${SECRET}\n`);
    this.#repository('../elsewhere/repo');
    trap('pointing/.git', `gitdir: ${this.outside}/repo/.git\n`);
    trap('linked-git/.keep', '');
    symlinkSync(join(this.outside, 'repo/.git'), at('linked-git/.git'));
    for (const name of [
      'rebasing',
      'bad-refs',
      'grafts',
      'shallow',
      'said',
      'lender',
      'lost-common',
      'linked-objects',
    ]) {
      trap(`${name}/a.txt`, 'a\n');
      this.#repository(join('evil', name));
    }
    mkdirSync(at('rebasing/.git/rebase-merge'));
    for (const name of ['done', 'head-name', 'onto', 'git-rebase-todo'])
      symlinkSync(join(this.outside, 'secret.txt'), at(`rebasing/.git/rebase-merge/${name}`));
    symlinkSync(join(this.outside, 'secret.txt'), at('bad-refs/.git/packed-refs'));
    symlinkSync(join(this.outside, 'secret.txt'), at('grafts/.git/info/grafts'));
    symlinkSync(join(this.outside, 'secret.txt'), at('shallow/.git/shallow'));
    const lent = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: join(this.outside, 'repo') });
    writeFileSync(at('lender/.git/objects/info/alternates'), `${this.outside}/repo/.git/objects\n`);
    writeFileSync(at('lender/.git/refs/heads/main'), lent);
    writeFileSync(at('lost-common/.git/commondir'), `${this.outside}/repo/.git\n`);
    rmSync(at('linked-objects/.git/objects'), { recursive: true });
    symlinkSync(join(this.outside, 'repo/.git/objects'), at('linked-objects/.git/objects'));
    writeFileSync(at('linked-objects/.git/refs/heads/main'), lent);
    this.#git('evil/said', 'commit', '-q', '--allow-empty', '-m', `see ${this.outside}/* there`);
  }

  /** Names of files that are other files all the same, and settings that name files elsewhere. */
  #makeOtherNames(): void {
    const at = (name: string): string => join(this.folder, 'evil', name);
    mkdirSync(at('twins'));
    linkSync(join(this.folder, '.env'), at('twins/settings'));
    linkSync(join(this.folder, 'secrets/key.pem'), at('twins/key'));
    for (const name of ['attributes', 'excludes']) {
      this.#write(at(`${name}/a.txt`), 'a\n');
      this.#repository(join('evil', name));
      this.#write(at(`${name}/a.txt`), 'changed\n');
      this.#git(join('evil', name), 'config', `core.${name}File`, `${this.outside}/accounts`);
    }
  }

  #makeSubmodule(settings: string): void {
    this.#write(join(this.folder, 'evil/around/within/a.txt'), 'a\n');
    this.#repository('evil/around/within');
    this.#repository('evil/around');
    const file = join(this.folder, 'evil/around/within/.git/config');
    this.#write(file, readFileSync(file, 'utf8') + settings);
  }

  #repository(folder: string): void {
    this.#git(folder, 'init', '-q', '-b', 'main');
    this.#nameAuthor(folder);
    this.#git(folder, 'add', '-A');
    this.#git(folder, 'commit', '-qm', 'first');
  }

  #nameAuthor(folder: string): void {
    this.#git(folder, 'config', 'user.name', 'tester');
    this.#git(folder, 'config', 'user.email', 'tester@example.com');
  }

  #git(folder: string, ...args: string[]): void {
    execFileSync('git', args, { cwd: join(this.folder, folder), env: this.#env(), stdio: 'pipe' });
  }

  #env(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.home };
  }

  #write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  }
}
