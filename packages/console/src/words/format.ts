import { locale } from './language.ts';

/** A number as it is written in the page's language: `1,234` or `1.234`. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(locale, options);
}

/** What stands before the part of a number that is less than one. */
export const decimalSign: '.' | ',' = number(0.5).includes(',') ? ',' : '.';

/** A number with exactly so many digits behind its point. */
export function fixed(value: number, digits: number): string {
  return number(value, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
}

/** Dollars with so many digits: `$0.25` or `0,25 $`. */
export function money(usd: number, digits: number): string {
  return number(usd, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
}

/** A moment: by its day, its time, or both. */
export function moment(time: number, options: Intl.DateTimeFormatOptions): string {
  return new Date(time).toLocaleString(locale, options);
}

/** From one moment to another one, or that one alone: `9:14 – 10:02`, with the day unless it is this one. */
export function period(from: number, until: number | undefined): string {
  const isToday = new Date(from).toDateString() === new Date().toDateString();
  const day: Intl.DateTimeFormatOptions = isToday ? {} : { day: 'numeric', month: 'short' };
  const format = new Intl.DateTimeFormat(locale, { ...day, hour: '2-digit', minute: '2-digit' });
  return until === undefined || until < from ? format.format(from) : format.formatRange(from, until);
}

/** The time of day: `14:05`. */
export function clock(time: number): string {
  return moment(time, { hour: '2-digit', minute: '2-digit' });
}
