import type { LoopChange } from 'signalbox/hub';
import { CommandOptionsError } from '../command-options.ts';
import { RULE_OPTIONS, rulesIn } from './rule-options.ts';

/** What `loops edit` takes. */
export const CHANGE_OPTIONS = {
  ...RULE_OPTIONS,
  'no-until-text': { type: 'boolean' },
  'no-until-command': { type: 'boolean' },
  'no-budget-usd': { type: 'boolean' },
  'pause-on-failure': { type: 'boolean' },
  'no-pause-on-failure': { type: 'boolean' },
  yes: { type: 'boolean' },
  'no-yes': { type: 'boolean' },
} as const;

type ChangeOptions = {
  [Name in keyof typeof CHANGE_OPTIONS]?:
    | ((typeof CHANGE_OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined;
};

/** An option of `loops edit` that was given; it is for no other command. */
export function changeOptionIn(options: ChangeOptions): string | undefined {
  const names: readonly string[] = Object.keys(CHANGE_OPTIONS);
  return Object.entries(options).find(([name, value]) => value !== undefined && names.includes(name))?.[0];
}

/** What is to be changed of a loop; `prompt` is its new task. Raises `COMMAND_OPTIONS`. */
export function loopChange(options: ChangeOptions, prompt: string): LoopChange {
  for (const name of ['until-text', 'until-command', 'budget-usd', 'pause-on-failure', 'yes'] as const)
    if (options[name] !== undefined && options[`no-${name}`] !== undefined)
      throw new CommandOptionsError('loops', `--${name} and --no-${name} contradict each other.`);
  const change: LoopChange = {
    ...rulesIn('loops', options, prompt),
    ...(options['no-until-text'] ? { untilText: null } : {}),
    ...(options['no-until-command'] ? { untilCommand: null } : {}),
    ...(options['no-budget-usd'] ? { budgetUsd: null } : {}),
    ...switched('pauseOnFailure', options['pause-on-failure'], options['no-pause-on-failure']),
    ...switched('allowAll', options.yes, options['no-yes']),
  };
  if (Object.keys(change).length === 0)
    throw new CommandOptionsError('loops', 'Say what is to be changed: a new task, or an option.');
  return change;
}

function switched(
  name: 'pauseOnFailure' | 'allowAll',
  on: boolean | undefined,
  off: boolean | undefined,
): LoopChange {
  return on || off ? { [name]: on ?? false } : {};
}
