import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isJsonObject,
  type JsonObject,
  listAt,
  spokenName,
  suggestionsIn,
  suggestionWords,
  textAt,
} from '@signalbox/protocol';
import type { PermissionRequest, PersonAnswer } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';

/** How long keys are dropped before a question is asked: they were meant for what was there before it. */
const REST_MS = 600;

type Read = (question: string) => Promise<string>;

/** Put a request of an agent to the person at this terminal. Undefined when it has no form here, or was called off. */
export async function askInTerminal(
  { request }: PermissionRequest,
  signal: AbortSignal,
  onInterrupt: () => void,
): Promise<PersonAnswer | undefined> {
  const { subtype, tool_name: tool, input } = request;
  if (subtype !== 'can_use_tool' || !isJsonObject(input)) return undefined;
  await dropEarlyKeys(signal, onInterrupt);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Readline takes the key before the terminal makes a signal of it.
  lines.on('SIGINT', onInterrupt);
  const read: Read = async (question) => (await lines.question(harmless(question), { signal })).trim();
  try {
    if (tool === 'AskUserQuestion') return await chosenAnswers(input, read);
    if (tool === 'ExitPlanMode') process.stdout.write(harmless(`\n${textAt(input, 'plan')}\n\n`));
    return await allowOrDeny(request, read);
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stdout.write('\n');
    return undefined;
  } finally {
    lines.close();
  }
}

/** Forget what was typed before the question, finished lines included. */
async function dropEarlyKeys(signal: AbortSignal, onInterrupt: () => void): Promise<void> {
  const { stdin } = process;
  const drop = (keys: Buffer | string): void => {
    if (keys.toString().includes('\x03')) onInterrupt();
  };
  stdin.setRawMode(true);
  stdin.on('data', drop);
  await pause(REST_MS, undefined, { signal }).catch(() => {});
  stdin.off('data', drop);
  stdin.pause();
  stdin.setRawMode(false);
}

async function allowOrDeny(request: JsonObject, read: Read): Promise<PersonAnswer> {
  const rules = suggestionsIn(request);
  const always = rules.length > 0 ? 'a/' : '';
  for (;;) {
    const said = await read(
      `? Allow ${spokenName(textAt(request, 'tool_name'))}? [y/${always}n or why not] `,
    );
    if (/^y(es)?$/i.test(said)) return { behavior: 'allow' };
    if (always && /^a(lways)?$/i.test(said)) {
      const kept = await chosenRules(rules, read);
      return { behavior: 'allow', ...(kept.length > 0 ? { updatedPermissions: kept } : {}) };
    }
    if (/^no?$/i.test(said)) return { behavior: 'deny' };
    if (said !== '') return { behavior: 'deny', message: said };
  }
}

/** What is to be kept, each by itself; with only one thing to keep there is nothing to choose. */
async function chosenRules(rules: JsonObject[], read: Read): Promise<JsonObject[]> {
  if (rules.length < 2) return rules;
  const menu = rules.map((rule, at) => `  ${at + 1} ${suggestionWords([rule])}\n`).join('');
  for (;;) {
    const said = await read(`? Always what?\n${menu}  (numbers, or all) `);
    if (/^all$/i.test(said)) return rules;
    const chosen = said.split(/[\s,]+/).map((word) => rules[Number(word) - 1]);
    if (said !== '' && chosen.every((rule) => rule !== undefined)) return chosen;
  }
}

async function chosenAnswers(input: JsonObject, read: Read): Promise<PersonAnswer> {
  const answers: Record<string, string | string[]> = {};
  const other: Record<string, string> = {};
  for (const question of listAt(input, 'questions').filter(isJsonObject)) {
    const { multiSelect } = question;
    const text = textAt(question, 'question');
    const options = listAt(question, 'options').filter(isJsonObject);
    const labels = options.map((option) => textAt(option, 'label'));
    const menu = options.map((option, at) => `  ${at + 1} ${optionWords(option)}\n`);
    const hint = multiSelect === true ? 'numbers, or your own words' : 'a number, or your own words';
    const said = await readSome(read, `? ${text}\n${menu.join('')}  (${hint}) `);
    const chosen = chosenIn(said, labels);
    if (!chosen) other[text] = said;
    else answers[text] = multiSelect === true ? chosen : (chosen[0] ?? said);
  }
  return { behavior: 'allow', answers, ...(Object.keys(other).length > 0 ? { other } : {}) };
}

async function readSome(read: Read, question: string): Promise<string> {
  for (;;) {
    const said = await read(question);
    if (said !== '') return said;
  }
}

/** The labels that are meant by numbers; undefined when it is something else. */
function chosenIn(said: string, labels: readonly string[]): string[] | undefined {
  const chosen = said.split(/[\s,]+/).map((word) => labels[Number(word) - 1]);
  return chosen.every((label) => label !== undefined) ? chosen : undefined;
}

function optionWords(option: JsonObject): string {
  return [textAt(option, 'label'), textAt(option, 'description')].filter(Boolean).join(': ');
}
