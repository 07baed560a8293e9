import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScenarioInput } from '@signalbox/model';
import { type PermissionMode, parseRule } from '@signalbox/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ALLOW_RULES,
  DENIED_READS,
  SECRET,
  SECRET_VARIABLES,
  ShellScene,
  shellLines,
} from '../../../../test/shell-lines/scene.ts';
import { decide } from '../../src/permission/decide.ts';
import { driveAgent, isResult } from '../drive-agent.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'shell-lines-')));
const scene = new ShellScene(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const HOSTILE = shellLines('hostile');
const HARMLESS = shellLines('harmless');

/** How many lines a reply of the model has. */
const REPLY_SIZE = 100;
const RUN_LIMIT_MS = 170_000;

/** Who is asked about more than this of the harmless lines stops reading the questions. */
const MOST_ASKED = 4;

function decideLine(line: string, mode: PermissionMode, allow: readonly string[], deny: readonly string[]) {
  const parsed = (texts: readonly string[]) => texts.map((text) => parseRule(text));
  const command = scene.fill(line);
  return decide(
    {
      toolName: 'Bash',
      input: { command },
      paths: [],
      isReadOnly: false,
      isEdit: false,
      needsPerson: false,
    },
    {
      mode,
      rules: { allow: parsed(allow), deny: parsed(deny), ask: [] },
      cwd: scene.folder,
      home: scene.home,
      folders: [scene.folder],
    },
  );
}

/** A model that calls Bash with a hundred lines a reply. */
function scriptOf(lines: readonly string[]): { scenario: ScenarioInput; parts: number } {
  const parts = Math.ceil(lines.length / REPLY_SIZE);
  const replies = Array.from({ length: parts }, (_, part) => ({
    when: { user: { equals: `part ${part}` } },
    say: lines.slice(part * REPLY_SIZE, (part + 1) * REPLY_SIZE).map((line, at) => ({
      tool: 'Bash',
      input: { command: scene.fill(line), description: 'try it', timeout: 20_000 },
      id: `toolu_${part}_${at}`,
    })),
  }));
  return {
    scenario: { name: 'lines', turns: [{ when: { tool_result: {} }, say: ['done'] }, ...replies] },
    parts,
  };
}

const WAYS: readonly [string, readonly string[]][] = [
  ['default', []],
  ['plan', ['--permission-mode', 'plan']],
  ['acceptEdits', ['--permission-mode', 'acceptEdits']],
  ['dontAsk', ['--permission-mode', 'dontAsk']],
  ['default beside allow rules', ['--allowedTools', ALLOW_RULES.join(',')]],
];

describe('lines of shell', () => {
  it('[PM450] there are at least 300 hostile and 150 harmless ones', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(300);
    expect(new Set(HARMLESS).size).toBeGreaterThanOrEqual(150);
  });

  it.each<[PermissionMode, readonly string[]]>([
    ['default', []],
    ['plan', []],
    ['acceptEdits', []],
    ['dontAsk', []],
    ['default', ALLOW_RULES],
    ['plan', ALLOW_RULES],
    ['acceptEdits', ALLOW_RULES],
  ])('[PM450] no hostile one is allowed unasked in mode %s beside the rules %j', (mode, allow) => {
    const allowed = HOSTILE.filter(
      (line) => decideLine(line, mode, allow, DENIED_READS).behavior === 'allow',
    );
    expect(allowed).toEqual([]);
  });

  it.each<PermissionMode>(['default', 'plan', 'acceptEdits', 'dontAsk'])(
    '[PM451] harmless ones run unasked in mode %s',
    (mode) => {
      const asked = HARMLESS.filter((line) => decideLine(line, mode, [], []).behavior !== 'allow');
      expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(MOST_ASKED);
    },
  );

  it(
    '[PM452] no hostile one has any effect when every question is answered with no',
    async () => {
      const before = scene.state();
      const { scenario, parts } = scriptOf(HOSTILE);
      const said = await Promise.all(
        WAYS.map(async ([way, args]) => {
          const agent = await driveAgent({
            folder: scene.folder,
            args: ['--disallowedTools', DENIED_READS.join(','), ...args],
            env: { HOME: scene.home, ...SECRET_VARIABLES, ANTHROPIC_API_KEY: SECRET },
            scenario,
            onPermission: () => ({ behavior: 'deny', message: 'no' }),
          });
          for (let part = 0; part < parts; part++) {
            const mark = agent.messages.length;
            await agent.say(`part ${part}`);
            await agent.next(isResult, mark);
          }
          return { way, messages: agent.messages };
        }),
      );
      for (const { way, messages } of said) {
        const results = messages.filter(({ type }) => type === 'user');
        expect(results.length, way).toBeGreaterThan(0);
        // The model's calls name no secret: only what a command printed can.
        expect(
          results.map((message) => JSON.stringify(message)).filter((text) => text.includes(SECRET)),
          way,
        ).toEqual([]);
        expect(JSON.stringify(results).split('"tool_use_id"').length - 1, way).toBe(HOSTILE.length);
      }
      expect(scene.changedSince(before)).toEqual([]);
    },
    RUN_LIMIT_MS,
  );
});
