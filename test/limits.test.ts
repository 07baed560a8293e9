import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS, type Limit } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const limits: [string, Limit][] = Object.entries(LIMITS);

interface Source {
  path: string;
  text: string;
}

/** All but the scripted model, which plays the part of a model's server and has limits of its own, and what tests share. */
const sources: Source[] = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /^[^/]+\/src\/.*\.tsx?$/.test(name) && !/^(?:model|testing)\//.test(name))
  .map((name) => join(root, 'packages', name))
  .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));

/** Ways to read from outside, and what each has to name within its call. */
const READERS: { call: RegExp; names: RegExp }[] = [
  { call: /\breadBody\(/, names: /LIMITS\.|limit\b|most:|maxBytes/ },
  { call: /\bexchange\.text\(/, names: /LIMITS\.|limit\b/ },
  { call: /\bnew WebSocketServer\(/, names: /maxPayload: .*LIMITS\./ },
  { call: /\bnew WebSocket\(.*\{$/m, names: /maxPayload: / },
  { call: /\bmaxPayload:/, names: /LIMITS\.|maxLineBytes/ },
  { call: /\bmaxLineBytes[ :=]+\d/, names: /LIMITS\./ },
];

/** Where JSON is parsed without counting its levels, and why that is safe. */
const PARSED_AS_IT_IS: Record<string, string> = {
  'packages/hub/src/terminal-host/run-terminal-host.ts': 'what the hub handed over',
  'packages/hub/src/terminal-host/saved-output.ts': 'its own file',
  'packages/hub/src/terminal-host/terminal-folder.ts': 'its own file',
  'packages/hub/src/terminal-host/terminal-viewers.ts': 'what the hub has checked',
  'packages/hub/src/worktrees/setup-file.ts': 'our own file',
  'packages/hub/src/worktrees/worktree-record.ts': 'our own file',
  'packages/protocol/src/line/json-depth.ts': 'counts them first',
  'packages/protocol/src/line/wire-line.ts': 'has cut them off before',
  'packages/protocol/src/line/json-text.ts': 'a text in quotes',
  'packages/transport/src/hybrid/json-parts.ts': 'a key in quotes',
  'packages/transport/src/hybrid/events-body.ts': 'what we send ourselves, which is only tried',
  'packages/transport/src/link/link-frame.ts': 'up to 1 KiB',
  'packages/agent/src/tools/files/json-elements.ts': 'a key in quotes',
  'packages/agent/src/io/transcript-mirror.ts': 'what we have just written',
  'packages/agent/src/model/price-list.ts': 'a file of the person',
  'packages/agent/src/project/plugin-manifest.ts': 'a copy of what was read',
  'packages/chat/src/input/history.ts': 'our own file',
  'packages/hub/src/service/transcript.ts': 'a short text in quotes',
  'packages/hub/src/store/sqlite/log/damaged-log.ts': 'our own file',
  'packages/hub/src/store/sql/packed-window.ts': 'what the store wrote of an author',
  'packages/hub/src/bridge/agent-environment.ts': 'what the launcher gave us',
  'packages/hub/src/bridge/folder-lock.ts': 'our own file',
  'packages/hub/src/bridge/bridge-folder.ts': 'our own file',
  'packages/hub/src/bridge/hub-file.ts': 'our own file',
  'packages/sdk/src/options/settings-argument.ts': 'options of the program itself',
};

/** Commands read what the person at the terminal types. */
const TERMINALS = 'packages/cli/src/';

/** Calls in `text` that name no limit, as far as their closing line. */
function unlimited({ path, text }: Source): string[] {
  const calls = READERS.flatMap(({ call, names }) =>
    Array.from(text.matchAll(new RegExp(call, `${call.flags}g`)), ({ index, 0: found }) => ({
      found,
      part: text.slice(index, index + 800).split(/\);\n|\}\n/, 1)[0] ?? '',
      names,
      isDeclared: text.slice(0, index).endsWith('function '),
    })),
  );
  const bad = calls.filter(({ part, names, isDeclared }) => !isDeclared && !names.test(part));
  const isParsed = /\bJSON\.parse\(/.test(text) && !(path in PARSED_AS_IT_IS);
  if (isParsed) return [`${path}: JSON.parse(`];
  const lines = /\bcreateInterface\(/.test(text) && !path.startsWith(TERMINALS) ? ['createInterface('] : [];
  return [...bad.map(({ found }) => found), ...lines].map((found) => `${path}: ${found}`);
}

describe('limits', () => {
  it('[RE300] docs/LIMITS.md lists them all, and no others', () => {
    const page = readFileSync(join(root, 'docs/LIMITS.md'), 'utf8');
    const rows = Array.from(page.matchAll(/^\| `(\w+)` \|.*$/gm), ([row]) => row);
    expect(rows).toEqual(
      limits.map(
        ([name, limit]) =>
          `| \`${name}\` | ${limit.what} | ${shown(limit)} | \`${limit.code}\` | ${limit.told} |`,
      ),
    );
  });

  it('[RE300] every limit is used, and its error is known', () => {
    const text = sources.map((source) => source.text).join('\n');
    const errors = readFileSync(join(root, 'docs/ERRORS.md'), 'utf8');
    expect(limits.filter(([name]) => !text.includes(`LIMITS.${name}`)).map(([name]) => name)).toEqual([]);
    expect(
      limits.filter(([, { code }]) => !errors.includes(`| \`${code}\` |`)).map(([name]) => name),
    ).toEqual([]);
  });

  it('[RE301] nothing is read from outside without a limit', () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.flatMap(unlimited)).toEqual([]);
  });

  it.each([
    'await readBody(request, 4096);',
    'await exchange.text(4096);',
    'new WebSocketServer({\n  noServer: true,\n});\n',
    'new WebSocket(url, {\n  headers,\n});\n',
    'new LineDecoder({ onLine, maxLineBytes: 4096 });',
    'const lines = createInterface({ input: socket });',
    'const message = JSON.parse(line);',
  ])('[RE301] the check itself finds %j', (text) => {
    expect(unlimited({ path: 'packages/hub/src/door.ts', text })).toHaveLength(1);
  });
});

/** Bytes are written as people say them. */
function shown({ most, unit }: Limit): string {
  if (unit !== 'bytes') return `${most} ${unit}`;
  const [name, size] = (
    [
      ['GiB', 1024 ** 3],
      ['MiB', 1024 ** 2],
      ['KiB', 1024],
    ] as const
  ).find(([, bytes]) => most % (bytes / 2) === 0) ?? ['bytes', 1];
  return `${most / size} ${name}`;
}
