import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { check } from '../check.ts';
import { delegate } from '../prompts.ts';
import { runToEnd } from './run-to-end.ts';
import { MODEL } from './script.ts';
import type { Scene, Story } from './story.ts';

/** A day's work with the agent: two sessions, one of which goes on and hands a part to a sub-agent. */
async function work(scene: Scene): Promise<string> {
  const file = scene.stage.path('notes.txt');
  for (const args of [
    [`write ${file} one`],
    ['-c', `edit ${file} one=>two`],
    ['-c', delegate('say from below')],
    ['think about it'],
  ]) {
    const { code, stderr } = await runToEnd(scene, scene.agent, [
      '--dangerously-skip-permissions',
      '-p',
      ...args,
    ]);
    check(code === 0, `the agent ended with ${code}: ${stderr}`);
  }
  return file;
}

/** What a usage report says of the day. */
async function usageReport(scene: Scene, command: readonly string[]): Promise<unknown> {
  await work(scene);
  const report = async (kind: string): Promise<unknown> => {
    const { stdout, stderr } = await runToEnd(scene, 'node', [...command, kind, '--json', '--offline']);
    check(stdout.includes('inputTokens'), `no report: ${stdout}${stderr}`);
    return inOrder(JSON.parse(stdout.slice(stdout.indexOf('{'))));
  };
  return { daily: await report('daily'), sessions: await report('session') };
}

/** Sessions of the same second come in any order. */
function inOrder(report: { sessions?: { inputTokens: number }[] }): object {
  const { sessions, ...rest } = report;
  if (!sessions) return rest;
  return { ...rest, sessions: sessions.toSorted((one, other) => one.inputTokens - other.inputTokens) };
}

/** What a status line says below a session. */
async function statusLine(scene: Scene): Promise<unknown> {
  const { stage, program } = scene;
  await work(scene);
  const widgets = [
    'model',
    'tokens-input',
    'tokens-output',
    'tokens-cached',
    'tokens-total',
    'context-length',
  ];
  const lines = [widgets.map((type, i) => ({ id: String(i), type }))];
  await stage.write(
    join(stage.home, '.config/ccstatusline/settings.json'),
    JSON.stringify({ version: 3, lines }),
  );
  const [project = ''] = await readdir(stage.personal('projects'));
  const folder = join(stage.personal('projects'), project);
  const transcripts = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  const seen = await Promise.all(
    transcripts.map(async (name) => {
      const status = {
        session_id: name.replace('.jsonl', ''),
        transcript_path: join(folder, name),
        cwd: stage.folder,
        model: { id: MODEL, display_name: 'Sonnet' },
      };
      const { stdout } = await runToEnd(scene, 'node', [program.path('dist/ccstatusline.js')], {
        input: JSON.stringify(status),
      });
      check(/\d/.test(stdout), `no status line: ${stdout}`);
      return stdout;
    }),
  );
  return { lines: seen.toSorted() };
}

export const transcriptStories: readonly Story[] = [
  {
    program: { name: 'ccusage', version: '18.0.11' },
    name: "a report of the day's tokens, and of each session",
    play: (scene) => usageReport(scene, [scene.program.path('dist/index.js')]),
  },
  {
    program: { name: 'ccusage', version: '20.0.24', withOptional: true },
    name: "a report of the day's tokens, and of each session",
    play: (scene) => usageReport(scene, [scene.program.path('src/cli.js'), 'claude']),
  },
  {
    program: { name: 'ccstatusline', version: '2.2.30' },
    name: 'a status line below each session',
    play: statusLine,
  },
];
