import { LIMITS } from '@signalbox/protocol';
import type { LoopRules } from '@signalbox/protocol/loop';
import { checkOptions } from '../options/check-options.ts';
import { OptionsError } from '../options-error.ts';
import type { LoopOptions, LoopRulesChange } from './loop.ts';

/** Raises `OPTIONS_INVALID` for a loop that cannot be what its caller expects. */
export function checkLoop({ prompt, promptFile, options = {}, ...rules }: LoopOptions): void {
  if ((prompt === undefined) === (promptFile === undefined))
    throw new OptionsError('A loop has a prompt or a promptFile, and not both.');
  if (prompt?.trim() === '') throw new OptionsError('prompt is empty.');
  if (options.resume !== undefined || options.continue || options.sessionId !== undefined)
    throw new OptionsError(
      'Each iteration of a loop begins a conversation: resume, continue and sessionId are not for loops.',
    );
  checkOptions(options);
  checkRules(rules);
}

/** Raises `OPTIONS_INVALID`. */
export function checkRules(rules: LoopRulesChange): void {
  const { maxIterations, untilSeconds, budgetUsd, untilText, untilCommand } = rules;
  checkCount('maxIterations', maxIterations, LIMITS.loopIterations.most);
  checkCount('untilSeconds', untilSeconds, LIMITS.loopConditionSeconds.most);
  if (isGiven(budgetUsd) && !(budgetUsd > 0)) throw new OptionsError('budgetUsd is an amount above zero.');
  for (const [name, text] of Object.entries({ untilText, untilCommand }))
    if (text === '') throw new OptionsError(`${name} is empty.`);
}

/** Rules with what was changed of them; what became null or undefined is as if nobody had said it. */
export function changedRules(rules: LoopRules, change: LoopRulesChange): LoopRules {
  checkRules(change);
  const { maxIterations = rules.maxIterations, ...others } = change;
  const all = Object.entries({ ...rules, ...others }).filter(([, value]) => isGiven(value));
  return { ...Object.fromEntries(all), maxIterations: maxIterations ?? rules.maxIterations };
}

function checkCount(name: string, value: number | null | undefined, most: number): void {
  if (isGiven(value) && !(Number.isInteger(value) && value >= 1 && value <= most))
    throw new OptionsError(`${name} is a whole number from 1 to ${most}.`);
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}
