import { decimalSign, fixed, money, number } from '../words/format.ts';

/** Dollars for people; sums below a dollar to a hundredth of a cent. */
export function dollars(usd: number): string {
  return money(usd, usd > 0 && usd < 1 ? 4 : 2);
}

/** Tokens for people: 950, 12.3k, 4.56M. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${fixed(count / 1000, 1)}k` : `${fixed(count / 1_000_000, 2)}M`;
}

/** Groups of three digits, as English and German write them: `1,234,567` and `1.234.567`. */
const GROUPS = { '.': /^[1-9]\d{0,2}(?:,\d{3})+(?!\d)/, ',': /^[1-9]\d{0,2}(?:\.\d{3})+(?!\d)/ } as const;

/**
 * A number that somebody typed: `5`, `$0.50`, `500k`, `2m`; undefined where nothing is said, null where it is no amount. A sign
 * that divides no groups of three is the decimal one, whichever the language has.
 */
export function amountOf(typed: string, decimal: '.' | ',' = decimalSign): number | undefined | null {
  const bare = typed.replaceAll(/[\s_$]/g, '');
  if (bare === '') return undefined;
  const text = bare.replace(GROUPS[decimal], (digits) => digits.replaceAll(/[.,]/g, '')).replace(',', '.');
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const amount = Number(digits) * ({ k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  return amount > 0 ? amount : null;
}

/** An amount as it is typed, to be changed. */
export function typedAmount(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '';
  return number(amount, { maximumFractionDigits: 6, useGrouping: false });
}
