import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { referenceSdkEntry } from '../../../../conformance/references.ts';
import { LEFT_OUT_ENTRIES, LEFT_OUT_NAMES, OTHER_TYPES } from './differences.ts';
import { INSTALL_TIMEOUT_MS } from './official-sdk.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const sdk = fileURLToPath(new URL('../..', import.meta.url));

const NEWEST = '0.3.325';
const VERSIONS = ['0.2.37', NEWEST];

type Exports = Map<string, ts.Symbol>;

/** The entry points of each package, with the files that declare what they export. */
let official: Record<string, Record<string, string>>;
let ours: Record<string, string>;
let program: ts.Program;
let checker: ts.TypeChecker;

beforeAll(async () => {
  const own: { exports: Record<string, string> } = JSON.parse(
    readFileSync(join(sdk, 'package.json'), 'utf8'),
  );
  ours = Object.fromEntries(Object.entries(own.exports).map(([entry, file]) => [entry, join(sdk, file)]));
  official = Object.fromEntries(
    await Promise.all(
      VERSIONS.map(
        async (version) => [version, entriesOf(dirname(await referenceSdkEntry(version)))] as const,
      ),
    ),
  );
  const files = [...Object.values(official).flatMap(Object.values<string>), ...Object.values(ours)];
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  program = ts.createProgram(files, { ...options, skipLibCheck: true, noEmit: true });
  checker = program.getTypeChecker();
}, INSTALL_TIMEOUT_MS);

/** A package that names no entry points has its main file, and every other by its name. */
function entriesOf(folder: string): Record<string, string> {
  const manifest: { exports?: Record<string, { types: string }> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const entries = manifest.exports ?? {
    '.': { types: './sdk.d.ts' },
    './sdk-tools.js': { types: './sdk-tools.d.ts' },
  };
  return Object.fromEntries(
    Object.entries(entries).map(([entry, { types }]) => [entry, join(folder, types)]),
  );
}

function exportsOf(file = ''): Exports {
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  const all = symbol ? checker.getExportsOfModule(symbol) : [];
  return new Map(
    all.map((one) => [one.name, one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one]),
  );
}

function isValue({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Value) !== 0;
}

function typeOf(symbol: ts.Symbol): ts.Type {
  return isValue(symbol) ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
}

describe('what programs import', () => {
  it('[SD666] every entry point of the official packages is there, or left out with a reason', () => {
    const named = new Set(Object.values(official).flatMap(Object.keys));
    const missing = [...named].filter((entry) => !(entry in ours));
    expect(missing.toSorted()).toEqual(Object.keys(LEFT_OUT_ENTRIES).toSorted());
  });

  it.each(VERSIONS)(
    '[SD666] every name of %s is there as well, as a value or a type as it is there',
    (version) => {
      for (const [entry, file] of Object.entries(official[version] ?? {})) {
        if (entry in LEFT_OUT_ENTRIES) continue;
        const own = exportsOf(ours[entry]);
        const other = exportsOf(file);
        expect(other.size, `${version} ${entry}`).toBeGreaterThan(0);
        const missing = [...other.keys()].filter((name) => !own.has(name));
        expect(missing.toSorted(), `${version} ${entry}`).toEqual(LEFT_OUT_NAMES[entry]?.names ?? []);
        const otherKind = [...other].filter(([name, symbol]) => {
          const mine = own.get(name);
          return mine && isValue(symbol) && !isValue(mine);
        });
        expect(otherKind.map(([name]) => name)).toEqual([]);
      }
    },
  );

  it('[SD667] types are the same, or the difference has a reason', { timeout: INSTALL_TIMEOUT_MS }, () => {
    const own = new Map([...exportsOf(ours['.']), ...exportsOf(ours['./sdk-tools'])]);
    const theirs = ['.', './sdk-tools'].flatMap((entry) => [...exportsOf(official[NEWEST]?.[entry])]);
    const different = theirs.filter(([name, symbol]) => {
      const mine = own.get(name);
      if (!mine) return false;
      const [a, b] = [typeOf(symbol), typeOf(mine)];
      return !checker.isTypeAssignableTo(a, b) || !checker.isTypeAssignableTo(b, a);
    });
    const names = different.map(([name]) => name);
    expect(names.toSorted()).toEqual(OTHER_TYPES.flatMap((group) => group.names).toSorted());
  });

  it('[SD666] the documents name what is left out', () => {
    const page = readFileSync(join(root, 'docs/SDK.md'), 'utf8');
    for (const entry of [...Object.keys(LEFT_OUT_ENTRIES), ...Object.keys(LEFT_OUT_NAMES)])
      expect(page).toContain(`\`${entry}\``);
  });
});
