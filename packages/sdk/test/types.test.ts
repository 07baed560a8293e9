import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { referenceSdkEntry } from '../../../conformance/references.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const programs = fileURLToPath(new URL('programs', import.meta.url));
const OFFICIAL = '@anthropic-ai/claude-agent-sdk';
const INSTALL_TIMEOUT_MS = 600_000;

/** What the compiler says about every program, when each imports this package. */
async function complaints(module: string, modules: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-types-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    allowImportingTsExtensions: true,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const name of await readdir(programs)) {
    const text = await readFile(join(programs, name), 'utf8');
    expect(text).toContain(`from 'signalbox'`);
    await writeFile(join(folder, name), text.replace(`from 'signalbox'`, `from '${module}'`));
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [tsc, '-p', folder, '--singleThreaded']).then(
    () => '',
    (error: unknown) => String(Object(error).stdout || error),
  );
}

describe('types', () => {
  it('[SD37] a program for the official SDK type-checks with only its import changed', {
    timeout: INSTALL_TIMEOUT_MS,
  }, async () => {
    expect(await complaints('signalbox', join(root, 'node_modules'))).toBe('');
  });

  it('[SD37] and the programs that show it are such programs', { timeout: INSTALL_TIMEOUT_MS }, async () => {
    const modules = dirname(dirname(dirname(await referenceSdkEntry('0.3.325'))));
    expect(await complaints(OFFICIAL, modules)).toBe('');
  });

  it('[SD37] a program with a mistake does not', { timeout: INSTALL_TIMEOUT_MS }, async () => {
    expect(await complaints('signalbox/nowhere', join(root, 'node_modules'))).toContain('signalbox/nowhere');
  });
});
