import { fixed, money } from '../words/format.ts';

/** Dollars for people; sums below a dollar to a hundredth of a cent. */
export function dollars(usd: number): string {
  return money(usd, usd > 0 && usd < 1 ? 4 : 2);
}

/** Tokens for people: 950, 12.3k, 4.56M. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${fixed(count / 1000, 1)}k` : `${fixed(count / 1_000_000, 2)}M`;
}

/** A number that somebody typed: `5`, `$0.50`, `500k`, `2m`; undefined where nothing is said, null where it is no amount. */
export function amountOf(typed: string): number | undefined | null {
  const text = typed.trim().replaceAll(/[\s,_$]/g, '');
  if (text === '') return undefined;
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const amount = Number(digits) * ({ k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  return amount > 0 ? amount : null;
}
