import type { Budget } from 'signalbox/hub';

/** What a budget is for. */
export function whoseWords({ session, folder, per }: Budget): string {
  const whose = session !== null ? `session ${session.slice(0, 8)}` : (folder ?? 'the whole hub');
  return `${whose}, ${per === 'day' ? 'a day' : 'in total'}`;
}
