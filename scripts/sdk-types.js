// @ts-check
// The SDK's types as a program without our workspace sees them: what the entries reach, with the types of our other
// packages carried along.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { withDirectImports } from './direct-imports.js';
import { root } from './setup.js';

const SPECIFIER = /(\bfrom |\bimport\()(['"])([^'"]+)\2/g;

/**
 * The declarations by their paths in the package.
 * @param {readonly string[]} entries sources of the SDK, below packages/sdk
 * @param {readonly string[]} dependencies packages that an installed SDK can rely on
 * @returns {Map<string, string>}
 */
export function sdkTypes(entries, dependencies) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-types-'));
  try {
    emit(folder);
    const files = new Map();
    const waiting = entries.map((entry) => posix.join('sdk', entry));
    for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
      const path = typesOf(source);
      if (files.has(path)) continue;
      const { text, reached } = rewritten(folder, source, dependencies);
      files.set(path, text);
      waiting.push(...reached);
    }
    return files;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mistakes in types are for the type check to report: here nobody looks for them. */
function emit(/** @type {string} */ folder) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const project = join(root, 'packages/sdk/tsconfig.types.json');
  // On one thread unions come in the same order each time, and no work is done twice.
  const quickly = ['--noCheck', '--singleThreaded'];
  spawnSync(process.execPath, [tsc, '-p', project, '--outDir', folder, ...quickly], { stdio: 'ignore' });
}

/** Where the declarations of a source lie in the package. */
export function typesOf(/** @type {string} */ source) {
  return posix.join('types', source.replace('/src/', '/').replace(/\.ts$/, '.d.ts'));
}

/**
 * A declaration file whose imports lead to files of the package, and the sources of these.
 * @param {string} folder
 * @param {string} source
 * @param {readonly string[]} dependencies
 */
function rewritten(folder, source, dependencies) {
  /** @type {string[]} */
  const reached = [];
  const lead = (/** @type {string} */ target) => {
    reached.push(target);
    const path = posix.relative(dirname(typesOf(source)), typesOf(target)).replace(/\.d\.ts$/, '.js');
    return path.startsWith('.') ? path : `./${path}`;
  };
  const direct = withDirectImports(declarations(folder, source), lead);
  const text = direct.replaceAll(SPECIFIER, (match, before, quote, specifier) => {
    if (specifier.endsWith('.ts'))
      return `${before}${quote}${lead(posix.join(dirname(source), specifier))}${quote}`;
    const isKnown = dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    if (isKnown || /^(?:\.|node:)/.test(specifier)) return match;
    throw new Error(`${source}: its types need ${specifier}, which the package does not depend on`);
  });
  return { text, reached };
}

function declarations(/** @type {string} */ folder, /** @type {string} */ source) {
  const file = join(folder, source.replace(/\.ts$/, '.d.ts'));
  if (!existsSync(file)) throw new Error(`The compiler wrote no declarations for packages/${source}`);
  return readFileSync(file, 'utf8');
}
