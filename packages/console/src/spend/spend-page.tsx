import { useState } from 'react';
import type { SpendGroup, SpendReport } from 'signalbox/hub';
import { PageFrame } from '../shell/page-frame.tsx';
import { go, pathOf } from '../shell/route.ts';
import { number } from '../words/format.ts';
import { t } from '../words/t.ts';
import { dollars, tokens } from './amounts.ts';
import { BudgetList } from './budget-list.tsx';
import { DayChart } from './day-chart.tsx';
import { useSpend } from './use-spend.ts';

const GROUPS: readonly [SpendGroup, string][] = [
  ['model', t.spend.groups.model],
  ['folder', t.spend.groups.folder],
  ['person', t.spend.groups.person],
  ['session', t.spend.groups.session],
  ['day', t.spend.groups.day],
];

const RANGES: readonly [number, string][] = [
  [1, t.spend.today],
  [7, t.spend.days(7)],
  [30, t.spend.days(30)],
  [90, t.spend.days(90)],
];

/** What agents have spent, and the limits of that. */
export default function SpendPage() {
  const [by, setBy] = useState<SpendGroup>('model');
  const [days, setDays] = useState(30);
  const { byDay, report, budgets, problem, look } = useSpend(by, days);
  return (
    <PageFrame title={t.spend.title}>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="spend-head">
        <p className="spend-total">
          <strong>{byDay ? totalWords(byDay.total) : ''}</strong>{' '}
          <span className="faint">{byDay ? turnWords(byDay.total.turns) : ''}</span>
        </p>
        <label>
          <span className="unseen">{t.spend.time}</span>
          <select className="field" value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {RANGES.map(([count, words]) => (
              <option key={count} value={count}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="unseen">{t.spend.by}</span>
          <select className="field" value={by} onChange={({ target }) => setBy(groupOf(target.value))}>
            {GROUPS.map(([name, words]) => (
              <option key={name} value={name}>
                {t.spend.byGroup(words)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {byDay?.items.length === 0 && <p className="faint">{t.spend.nothing}</p>}
      {byDay && byDay.items.length > 0 && <DayChart days={byDay.items} />}
      {report && report.items.length > 0 && <SpendTable report={report} />}
      <BudgetList budgets={budgets} onChange={look} />
    </PageFrame>
  );
}

function SpendTable({ report }: { report: SpendReport }) {
  const most = Math.max(...report.items.map(weight), Number.MIN_VALUE);
  return (
    <table className="spend-table">
      <thead>
        <tr>
          <th scope="col">{GROUPS.find(([name]) => name === report.by)?.[1]}</th>
          <th scope="col">{t.spend.cost}</th>
          <th scope="col">{t.spend.tokens}</th>
          <th scope="col">{t.spend.turns}</th>
        </tr>
      </thead>
      <tbody>
        {report.items.map((item) => (
          <tr key={item.key ?? ''}>
            <th scope="row">
              <RowName by={report.by} item={item} />
              <span className="spend-share" style={{ inlineSize: `${(100 * weight(item)) / most}%` }} />
            </th>
            <td>{item.usd === 0 ? '–' : dollars(item.usd)}</td>
            <td title={t.spend.fromCache(number(item.cacheRead))}>
              {tokens(item.input + item.output + item.cacheWrite)}
            </td>
            <td>{item.turns}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RowName({ by, item }: { by: SpendGroup; item: SpendReport['items'][number] }) {
  const { key, title } = item;
  if (key === null)
    return <span className="faint">{by === 'person' ? t.spend.nobody : t.spend.notKnown}</span>;
  if (by !== 'session') return <span dir="auto">{key}</span>;
  const path = pathOf(key);
  return (
    <a
      href={path}
      dir="auto"
      onClick={(event) => {
        event.preventDefault();
        go(path);
      }}
    >
      {title ?? key}
    </a>
  );
}

function weight({ usd, input, output }: SpendReport['items'][number]): number {
  return usd === 0 ? (input + output) / 1e9 : usd;
}

function totalWords({ usd, input, output, cacheWrite }: SpendReport['total']): string {
  const counted = t.common.tokens(tokens(input + output + cacheWrite));
  return usd === 0 ? counted : `${dollars(usd)} · ${counted}`;
}

function turnWords(turns: number): string {
  return t.spend.inTurns(turns);
}

function groupOf(value: string): SpendGroup {
  return GROUPS.find(([name]) => name === value)?.[0] ?? 'model';
}
