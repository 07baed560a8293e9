/** The day of a moment by the clock of this machine: `2026-11-18`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When the day after this moment begins. */
export function nextDay(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
