import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineScenario, listScenarios, loadScenario, ScenarioError } from '../src/index.ts';
import { SCENARIO_BYTES_LIMIT } from '../src/scenario/load.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-scenario-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function failureOf(text: string): Promise<ScenarioError> {
  const file = join(folder, 'broken.json');
  await writeFile(file, text);
  const error = await loadScenario(file).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ScenarioError)) throw new Error('the file was taken');
  return error;
}

async function problemsOf(turns: unknown[], rest: Record<string, unknown> = {}): Promise<string[]> {
  const { problems } = await failureOf(JSON.stringify({ name: 'x', turns, ...rest }));
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('scenario files', () => {
  it('[SM19] loads a file, and the built-in scenarios by name', async () => {
    const file = join(folder, 'good.json');
    await writeFile(file, JSON.stringify({ name: 'good', turns: [{ say: ['hi'] }] }));
    expect(await loadScenario(file)).toMatchObject({ name: 'good', turns: [{ when: 'any', say: ['hi'] }] });
    for (const { name, description } of listScenarios()) {
      expect((await loadScenario(name)).name).toBe(name);
      expect(description).toBeTruthy();
    }
  });

  it('[SM19] names the file, the place and what was expected there', async () => {
    const error = await failureOf(JSON.stringify({ name: 'x', turns: [{ say: ['a', { tool: 7 }] }] }));
    expect(error).toMatchObject({ name: 'ScenarioError', code: 'SCENARIO_INVALID' });
    expect(error.source).toBe(join(folder, 'broken.json'));
    expect(error.message).toBe(
      `${join(folder, 'broken.json')} is not valid:\n  turns[0].say[1].tool: expected string, got number`,
    );
    expect((await failureOf('{"name": }')).message).toContain('expected JSON: ');
    expect(await problemsOf([{}])).toEqual(['turns[0].say: missing; expected array']);
    expect(await problemsOf([{ when: 'ani', say: [5] }])).toEqual([
      'turns[0].say[0]: expected string or object',
      'turns[0].when: expected "any" or object',
    ]);
    expect(await problemsOf([{ say: [{}] }])).toEqual([
      'turns[0].say[0]: expected one of the keys text, thinking, tool, block, delay_ms, fault',
    ]);
    expect(await problemsOf([{ when: { user: { matches: '(' } }, say: [] }])).toEqual([
      'turns[0].when.user.matches: expected a valid regular expression',
    ]);
    expect(await problemsOf([{ when: { user: { matches: '\\-', flags: 'u' } }, say: [] }])).toEqual([
      'turns[0].when.user.matches: expected a valid regular expression',
    ]);
    expect(await problemsOf([{ when: { user: { matches: 'x', flags: 'g' } }, say: [] }])).toEqual([
      'turns[0].when.user.flags: expected some of the flags i, m, s and u',
    ]);
    expect(await problemsOf([{ say: [{ fault: { kind: 'bang' } }] }])).toEqual([
      "turns[0].say[0].fault.kind: expected one of 'status' | 'cut' | 'malformed' | 'error' | 'stall' | 'slow'",
    ]);
    expect(await problemsOf([{ say: [], stop_reason: 'tired' }])).toEqual([
      expect.stringMatching(/^turns\[0\]\.stop_reason: expected one of "end_turn"\|/),
    ]);
  });

  it('[SM19] asks whether a misspelt key was meant to be another', async () => {
    expect(await problemsOf([], { trns: [] })).toEqual([': unknown key "trns"; did you mean "turns"?']);
    expect(await problemsOf([{ whn: 'any', say: [] }])).toEqual([
      'turns[0]: unknown key "whn"; did you mean "when"?',
    ]);
    expect(await problemsOf([{ when: { usr: 'x' }, say: [] }])).toEqual([
      'turns[0].when: unknown key "usr"; did you mean "user"?',
    ]);
    expect(await problemsOf([{ say: [{ tol: 'Bash' }] }])).toEqual([
      'turns[0].say[0]: unknown key "tol"; did you mean "tool"?',
    ]);
    expect(await problemsOf([{ say: [{ tool: 'Bash', inptu: {} }] }])).toEqual([
      'turns[0].say[0]: unknown key "inptu"; did you mean "input"?',
    ]);
    expect(await problemsOf([{ say: [{ text: 'a', tool: 'Bash' }] }])).toEqual([
      'turns[0].say[0]: key "tool" does not belong here',
    ]);
    expect(await problemsOf([{ say: [{ fault: { kind: 'cut', aftr: 1 } }] }])).toEqual([
      'turns[0].say[0].fault: unknown key "aftr"; did you mean "after"?',
    ]);
    expect(await problemsOf([{ say: ['{{lastUserTxt}}', '{{turn|jsn}}'] }])).toEqual([
      'turns[0].say[0]: unknown placeholder {{lastUserTxt}}; did you mean "lastUserText"?',
      'turns[0].say[1]: unknown filter in {{turn|jsn}}; did you mean "json"?',
    ]);
  });

  it('[SM19] shows ten problems and counts the rest', async () => {
    const { message } = await failureOf(
      JSON.stringify({ name: 'x', turns: Array.from({ length: 13 }, () => ({})) }),
    );
    expect(message.split('\n')).toHaveLength(12);
    expect(message).toMatch(/and 3 more$/);
  });

  it('[SM19] says so when there is no such file or scenario, or when it is too large', async () => {
    await expect(loadScenario('pupet')).rejects.toMatchObject({
      code: 'SCENARIO_NOT_FOUND',
      message: 'no built-in scenario and no readable file is called "pupet"; did you mean "puppet"?',
    });
    await expect(loadScenario(folder)).rejects.toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
    const file = join(folder, 'large.json');
    await writeFile(file, Buffer.alloc(SCENARIO_BYTES_LIMIT + 1, ' '));
    await expect(loadScenario(file)).rejects.toMatchObject({ code: 'SCENARIO_TOO_LARGE' });
  });

  it('[SM19] takes every example of the documentation', async () => {
    const text = await readFile(new URL('../../../docs/SCENARIOS.md', import.meta.url), 'utf8');
    const examples = Array.from(text.matchAll(/```json\n([\s\S]*?)```/g), (match) => match[1] ?? '');
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) defineScenario(JSON.parse(example));
  });

  it('[SM19] checks a scenario written in TypeScript the same way', () => {
    expect(() => defineScenario({ name: 'mine', turns: [{ say: ['{{lastUsertext}}'] }] })).toThrow(
      'scenario "mine" is not valid:\n  turns[0].say[0]: unknown placeholder {{lastUsertext}}; did you mean "lastUserText"?',
    );
  });
});
