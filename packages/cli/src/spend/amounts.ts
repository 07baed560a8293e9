import { CommandOptionsError } from '../command-options.ts';

/** Dollars for people; sums below a dollar to a hundredth of a cent. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}

/** Tokens for people. */
export function tokenCount(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

/** An amount on the command line; undefined where none was said. Raises `COMMAND_OPTIONS`. */
export function amountIn(said: string | undefined, flag: '--usd' | '--tokens'): number | undefined {
  if (said === undefined) return undefined;
  const [, digits = '', unit = ''] =
    /^\$?(\d{1,15}(?:\.\d{1,6})?)([km]?)$/i.exec(said.replaceAll(/[_,]/g, '')) ?? [];
  const amount = Number(digits) * ({ k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  const isFit = digits !== '' && amount > 0 && (flag === '--usd' || Number.isInteger(amount));
  if (isFit) return amount;
  const example = flag === '--usd' ? '--usd 5 or --usd 0.50' : '--tokens 500000 or --tokens 500k';
  throw new CommandOptionsError('budgets', `${flag} takes an amount of more than 0: ${example}.`);
}
