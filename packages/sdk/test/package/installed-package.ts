import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { INSTALL_TIMEOUT_MS, outsideTheWorkspace } from '@signalbox/testing/cached-package';
import { PACKAGE_FOLDER } from '../../../../scripts/build-sdk.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What a person adds to a project beside the package, to write programs in TypeScript. */
const BESIDE = '@types/node@20';

/** The manifest of the package, as far as it is looked at. */
export interface PackageManifest {
  version: string;
  exports: Record<string, string | Record<string, string>>;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
}

/** A project far from this workspace, with the package installed as npm does it. */
export class InstalledPackage {
  readonly project: string;
  /** Where the package is. */
  readonly folder: string;

  private constructor(project: string) {
    this.project = project;
    this.folder = join(project, 'node_modules', 'signalbox');
  }

  /** Pack what was built, and install that. What npm has in its cache is not fetched again. */
  static async install(): Promise<InstalledPackage> {
    const project = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-package-')));
    const options = { cwd: project, env: outsideTheWorkspace(), timeout: INSTALL_TIMEOUT_MS };
    const { stdout } = await run('npm', ['pack', PACKAGE_FOLDER, '--json'], options);
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quietly, join(project, filename), BESIDE], options);
    return new InstalledPackage(project);
  }

  /** Have other packages of a scope as well, without installing them again. */
  link(scope: string): Promise<void> {
    return symlink(scope, join(this.project, 'node_modules', basename(scope)));
  }

  async manifest(): Promise<PackageManifest> {
    return JSON.parse(await readFile(join(this.folder, 'package.json'), 'utf8'));
  }

  /** What the compiler says about the TypeScript files of a folder of the project; it writes JavaScript to `out`. */
  async complaints(folder: string, options: object): Promise<string> {
    const compilerOptions = {
      target: 'ES2023',
      strict: true,
      skipLibCheck: false,
      outDir: 'out',
      ...options,
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts', '*.cts'] }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    // More threads would each do some of the same work.
    return run(process.execPath, [tsc, '-p', folder, '--singleThreaded']).then(
      () => '',
      (error: unknown) => String(Object(error).stdout || error),
    );
  }

  remove(): Promise<void> {
    return rm(this.project, { recursive: true, force: true, maxRetries: 5 });
  }
}
