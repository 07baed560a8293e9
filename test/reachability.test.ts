import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What nothing that ships uses, and why it is there all the same. */
const KEPT: Record<string, string> = {
  AcceptedHybridTransport: 'the server that the contract suite of transports runs hybrid clients against',
  checkControlPayload: 'the strict schemas of answers, which tests hold against recordings',
  matchRule: 'one rule by itself, for the tables of what each form of rule means',
  openMemoryStore: 'the store of the tests of everything above it',
};

const DECLARED =
  /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g;

/** Names that a file exports and neither it nor any other file uses; lists of a package's exports are no use. */
function unused(sources: ReadonlyMap<string, string>): string[] {
  const usedBy = new Map<string, number>();
  const code = new Map([...sources].map(([path, text]) => [path, text.replaceAll(COMMENT, '')]));
  for (const [path, text] of code) {
    if (isExportList(path)) continue;
    for (const word of new Set(text.match(/\w+/g))) usedBy.set(word, (usedBy.get(word) ?? 0) + 1);
  }
  return [...code].flatMap(([path, text]) =>
    Array.from(text.matchAll(DECLARED), (match) => match[1] ?? '')
      .filter((name) => usedBy.get(name) === 1 && text.split(RegExp(`\\b${name}\\b`)).length === 2)
      .map((name) => `${path}: ${name}`),
  );
}

/** The SDK's lists are what programs import; those of the other packages, which nobody else can, prove nothing. */
function isExportList(path: string): boolean {
  return path.endsWith('/index.ts') && !path.startsWith('packages/sdk/');
}

describe('what ships', () => {
  it('[RE510] uses all that the sources export', () => {
    const sources = new Map(
      readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
        .map((name) => join('packages', name))
        .filter((path) => /^packages\/\w+\/src\/.*\.tsx?$/.test(path))
        .map((path) => [relative(root, join(root, path)), readFileSync(join(root, path), 'utf8')]),
    );
    expect(sources.size).toBeGreaterThan(500);
    const found = unused(sources);
    expect(found.filter((line) => !((line.split(': ')[1] ?? '') in KEPT))).toEqual([]);
    expect(Object.keys(KEPT).filter((name) => !found.some((line) => line.endsWith(`: ${name}`)))).toEqual([]);
  });

  it('[RE510] is told from what only a list or a comment names', () => {
    const sources = new Map([
      ['packages/hub/src/index.ts', "export { lost, used } from './a.ts';"],
      [
        'packages/hub/src/a.ts',
        'export function lost() {}\nexport const used = 1; // lost\nexport type Own = 1;\nlet x: Own;',
      ],
      ['packages/hub/src/b.ts', "import { used } from './a.ts';\nconsole.log(used);"],
    ]);
    expect(unused(sources)).toEqual(['packages/hub/src/a.ts: lost']);
  });
});
