/** What a session of a loop is called. */
export function iterationTitle(task: string, iteration: number, maxIterations: number): string {
  return `${task} · ${iteration}/${maxIterations}`;
}
