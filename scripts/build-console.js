// @ts-check
// Makes dist/console: the web app, with what browsers take compressed beside it.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { putFile } from './put-file.js';
import { root } from './setup.js';

/** Files of earlier builds stay for a while: a hub that starts may be reading them. */
const STALE_AFTER_MS = 3_600_000;

/** Shorter files gain nothing. */
const MIN_COMPRESSED_BYTES = 1024;

/**
 * @param {string} folder where it goes
 * @returns {Promise<string[]>} its files
 */
export async function buildConsole(folder) {
  const output = await bundle();
  /** @type {string[]} */
  const files = [];
  // The page last: what it names must be there.
  for (const part of output.toSorted(
    (a, b) => Number(a.fileName === 'index.html') - Number(b.fileName === 'index.html'),
  ))
    files.push(
      ...putCompressed(join(folder, part.fileName), part.type === 'chunk' ? part.code : part.source),
    );
  removeStale(join(folder, 'assets'), new Set(files));
  return files;
}

async function bundle() {
  const { build } = await import('vite');
  const { NODE_ENV } = process.env;
  // A test runner calls itself `test`: React would bring all that helps those who write for it.
  process.env.NODE_ENV = 'production';
  try {
    const built = await build({
      configFile: join(root, 'packages', 'console', 'vite.config.ts'),
      logLevel: 'warn',
      build: { write: false },
    });
    return 'output' in built ? built.output : [];
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** Write a file and its compressed forms. */
function putCompressed(/** @type {string} */ file, /** @type {string | Uint8Array} */ content) {
  const bytes = Buffer.from(content);
  const hasChanged = putFile(file, bytes);
  if (bytes.length < MIN_COMPRESSED_BYTES) return [file];
  const forms = [`${file}.br`, `${file}.gz`];
  if (hasChanged || forms.some((form) => !existsSync(form))) {
    putFile(`${file}.br`, brotliCompressSync(bytes));
    putFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
  return [file, ...forms];
}

function removeStale(/** @type {string} */ folder, /** @type {ReadonlySet<string>} */ current) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (!current.has(file) && mtimeMs < Date.now() - STALE_AFTER_MS) rmSync(file, { force: true });
  }
}
