import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRule } from '@signalbox/protocol';
import { afterAll } from 'vitest';
import { ShellScene } from '../../../../test/shell-lines/scene.ts';
import { type Decision, decide } from '../../src/permission/decide.ts';

/** What is in force when a line is decided about; the scene's project is the folder if none is given. */
export interface LineFacts {
  deny?: readonly string[];
  allow?: readonly string[];
  folder?: string;
  runsIn?: string;
}

/** A project with secrets and traps, and what is decided about lines of shell in it. */
export interface LineScene {
  readonly root: string;
  readonly scene: ShellScene;
  readonly decideLine: (line: string, facts?: LineFacts) => Decision;
  readonly behaviorOf: (line: string, facts?: LineFacts) => Decision['behavior'];
}

/** One for a test file; it is gone after its tests. */
export function lineScene(name: string): LineScene {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  const scene = new ShellScene(root);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const decideLine = (
    line: string,
    { deny = [], allow = [], folder = scene.folder, runsIn }: LineFacts = {},
  ): Decision => {
    const parsed = (texts: readonly string[]) => texts.map((text) => parseRule(text));
    const call = { toolName: 'Bash', input: { command: scene.fill(line) }, paths: [] };
    return decide(
      {
        ...call,
        isReadOnly: false,
        isEdit: false,
        needsPerson: false,
        ...(runsIn === undefined ? {} : { runsIn }),
      },
      {
        mode: 'default',
        rules: { allow: parsed(allow), deny: parsed(deny), ask: [] },
        cwd: folder,
        home: scene.home,
        folders: [folder],
      },
    );
  };
  return { root, scene, decideLine, behaviorOf: (line, facts) => decideLine(line, facts).behavior };
}
