import { useState } from 'react';
import type { SpendGroup, SpendReport } from 'signalbox/hub';
import { PageFrame } from '../shell/page-frame.tsx';
import { go, pathOf } from '../shell/route.ts';
import { dollars, tokens } from './amounts.ts';
import { BudgetList } from './budget-list.tsx';
import { DayChart } from './day-chart.tsx';
import { useSpend } from './use-spend.ts';

const GROUPS: readonly [SpendGroup, string][] = [
  ['model', 'Model'],
  ['folder', 'Folder'],
  ['person', 'Person'],
  ['session', 'Session'],
  ['day', 'Day'],
];

const RANGES: readonly [number, string][] = [
  [1, 'Today'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
];

/** What agents have spent, and the limits of that. */
export default function SpendPage() {
  const [by, setBy] = useState<SpendGroup>('model');
  const [days, setDays] = useState(30);
  const { byDay, report, budgets, problem, look } = useSpend(by, days);
  return (
    <PageFrame title="Spend">
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
          <span className="unseen">Time</span>
          <select className="field" value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {RANGES.map(([count, words]) => (
              <option key={count} value={count}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="unseen">By</span>
          <select className="field" value={by} onChange={({ target }) => setBy(groupOf(target.value))}>
            {GROUPS.map(([name, words]) => (
              <option key={name} value={name}>
                by {words.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      </div>
      {byDay?.items.length === 0 && <p className="faint">Nothing was spent.</p>}
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
          <th scope="col">Cost</th>
          <th scope="col">Tokens</th>
          <th scope="col">Turns</th>
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
            <td title={`${item.cacheRead.toLocaleString()} more were read from the cache`}>
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
  if (key === null) return <span className="faint">{by === 'person' ? 'nobody here' : 'not known'}</span>;
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
  const counted = `${tokens(input + output + cacheWrite)} tokens`;
  return usd === 0 ? counted : `${dollars(usd)} · ${counted}`;
}

function turnWords(turns: number): string {
  return turns === 1 ? 'in one turn' : `in ${turns} turns`;
}

function groupOf(value: string): SpendGroup {
  return GROUPS.find(([name]) => name === value)?.[0] ?? 'model';
}
