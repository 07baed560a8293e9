// @ts-check
// An index costs its user all that it exports: esbuild loads that together, and a declaration file brings it along. So what
// is published, and what commands load at their start, names the sources themselves.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './setup.js';

const OF_OURS = /^(import|export)( type)? \{([^}]*)\} from ['"](@signalbox\/[^'"]+|signalbox\/hub)['"];$/gm;
const EXPORTED = /^export(?: type)? \{([^}]*)\} from ['"](\.[^'"]+)['"];$/gm;

/** @type {Map<string, { entry: string, sources: Map<string, string> }>} */
const known = new Map();

/**
 * A module whose imports from our packages are split up by the sources that declare the names.
 * @param {string} text
 * @param {(source: string) => string} lead how the module gets to a source, which is given below packages/
 */
export function withDirectImports(text, lead) {
  return text.replaceAll(OF_OURS, (_statement, word, type = '', list, specifier) => {
    const imports = namesIn(list).map((listed) => {
      const name = listed.replace(/^type /, '');
      const path = lead(sourceOf(specifier, name.replace(/ as .*/, '')));
      // A type alone must not load the module: its statement has to say so, not the name.
      return `${word}${name === listed ? type : ' type'} { ${name} } from '${path}';`;
    });
    return imports.join('\n');
  });
}

/** @type {import('esbuild').Plugin} */
export const directImports = {
  name: 'direct-imports',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]packages[\\/]\w+[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: withDirectImports(readFileSync(path, 'utf8'), (source) => join(root, 'packages', source)),
      loader: 'ts',
    }));
  },
};

function sourceOf(/** @type {string} */ specifier, /** @type {string} */ name) {
  const { entry, sources } = known.get(specifier) ?? readIndex(specifier);
  return sources.get(name) ?? entry;
}

function readIndex(/** @type {string} */ specifier) {
  const [, folder = '', ...rest] = specifier.replace(/^signalbox/, '@signalbox/sdk').split('/');
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  const entry = posix.join(folder, manifest.exports[['.', ...rest].join('/')]);
  const text = readFileSync(join(root, 'packages', entry), 'utf8');
  /** @type {Map<string, string>} */
  const sources = new Map();
  for (const [, list = '', from = ''] of text.matchAll(EXPORTED)) {
    const source = posix.join(posix.dirname(entry), from);
    for (const name of namesIn(list)) sources.set(name.replace(/^type /, '').replace(/.* as /, ''), source);
  }
  const index = { entry, sources };
  known.set(specifier, index);
  return index;
}

function namesIn(/** @type {string} */ list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
