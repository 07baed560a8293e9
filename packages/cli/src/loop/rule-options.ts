import { resolve } from 'node:path';
import type { LoopChange } from 'signalbox/hub';
import { CommandOptionsError } from '../command-options.ts';

/** What `loop` and `loops edit` take of the rules of a loop. */
export const RULE_OPTIONS = {
  'max-iterations': { type: 'string' },
  'until-text': { type: 'string' },
  'until-command': { type: 'string' },
  'until-seconds': { type: 'string' },
  'budget-usd': { type: 'string' },
  'prompt-file': { type: 'string' },
  title: { type: 'string' },
} as const;

type RuleName = keyof typeof RULE_OPTIONS;

type RuleOptions = Partial<Record<RuleName, string | undefined>>;

/** The rules that were given. */
export type GivenRules = {
  [Name in keyof Omit<LoopChange, 'version' | 'pauseOnFailure' | 'allowAll'>]: NonNullable<LoopChange[Name]>;
};

/** Raises `COMMAND_OPTIONS`. */
export function rulesIn(command: string, options: RuleOptions, prompt: string): GivenRules {
  const { 'prompt-file': file, 'until-text': untilText, 'until-command': untilCommand, title } = options;
  if (prompt !== '' && file !== undefined)
    throw new CommandOptionsError(command, 'Give a task or --prompt-file, and not both.');
  for (const name of ['until-text', 'until-command', 'title'] as const)
    if (options[name]?.trim() === '') throw new CommandOptionsError(command, `--${name} is empty.`);
  const maxIterations = numberIn(command, options, 'max-iterations', /^[1-9]\d*$/);
  const untilSeconds = numberIn(command, options, 'until-seconds', /^[1-9]\d*$/);
  const budgetUsd = numberIn(command, options, 'budget-usd', /^(?=.*[1-9])\d+(?:\.\d+)?$/);
  return {
    ...(prompt === '' ? {} : { prompt }),
    ...(file === undefined ? {} : { promptFile: resolve(file) }),
    ...(title === undefined ? {} : { title }),
    ...(untilText === undefined ? {} : { untilText }),
    ...(untilCommand === undefined ? {} : { untilCommand }),
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(untilSeconds === undefined ? {} : { untilSeconds }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
  };
}

/** A number above zero. Raises `COMMAND_OPTIONS`. */
function numberIn(command: string, options: RuleOptions, name: RuleName, form: RegExp): number | undefined {
  const text = options[name];
  if (text === undefined || form.test(text)) return text === undefined ? undefined : Number(text);
  const kind = name === 'budget-usd' ? 'an amount' : 'a whole number';
  throw new CommandOptionsError(command, `--${name} takes ${kind} above zero, and not "${text}".`);
}
