const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** How long ago something was: `4 s ago`. */
export function ageWords(elapsedMs: number): string {
  const [unit, size] = UNITS.find(([, length]) => elapsedMs >= length) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(elapsedMs / size))} ${unit} ago`;
}
