import type { Budget } from 'signalbox/hub';
import { t } from '../words/t.ts';

/** What a budget is for. */
export function whoseWords({ session, folder, per }: Budget): string {
  const whose = session !== null ? t.spend.session(session.slice(0, 8)) : (folder ?? t.spend.wholeHub);
  return per === 'day' ? t.spend.aDay(whose) : t.spend.inTotal(whose);
}
