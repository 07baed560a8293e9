import type { Page } from 'playwright-core';

const TASK = 'RunTask';
const TASKS = 'disabled-by-default-devtools.timeline';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time, in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** Milliseconds of processor time that the thread of a page works while something is done. */
export async function workOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await worked();
  await act();
  const after = await worked();
  await cdp.detach();
  return (after - before) * 1000;
}

/** Milliseconds of processor time of the longest task of the threads that draw pages, while something is done. */
export async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new TypeError('A page without a browser cannot be traced.');
  await browser.startTracing(page, { categories: [TASKS, '__metadata'] });
  await act();
  const trace = await browser.stopTracing();
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString('utf8'));
  const drawing = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === TASK && drawing.has(`${pid} ${tid}`));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
