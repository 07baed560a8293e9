import type { SpendReport } from 'signalbox/hub';
import { moment } from '../words/format.ts';
import { t } from '../words/t.ts';
import { dollars, tokens } from './amounts.ts';
import { daysOf } from './days-of.ts';

/** A day as one writes it. It is only counted: it has no zone. */
const dayWords = (day: string): string =>
  moment(Date.parse(`${day}T00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });

const HEIGHT = 96;
const BAR = 8;
const STEP = 12;

/** What was spent on each day, as bars: in dollars, or in tokens where nobody pays. */
export function DayChart({ days }: { days: SpendReport['items'] }) {
  const isPaid = days.some(({ usd }) => usd > 0);
  const bars = daysOf(days).map(({ day, item }) => {
    const amount = isPaid ? (item?.usd ?? 0) : (item?.input ?? 0) + (item?.output ?? 0);
    return {
      day,
      amount,
      words: `${dayWords(day)}: ${isPaid ? dollars(amount) : t.common.tokens(tokens(amount))}`,
    };
  });
  const most = Math.max(...bars.map(({ amount }) => amount), Number.MIN_VALUE);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  return (
    <figure className="day-chart">
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.spend.chart(
          dayWords(first.day),
          dayWords(last.day),
          isPaid ? dollars(most) : t.common.tokens(tokens(most)),
        )}
      >
        {bars.map(({ day, amount, words }, at) => {
          const height = Math.max(amount > 0 ? 2 : 1, (amount / most) * (HEIGHT - 2));
          return (
            <rect
              key={day}
              className={amount > 0 ? 'day-bar' : 'day-bar none'}
              x={at * STEP + (STEP - BAR) / 2}
              y={HEIGHT - height}
              width={BAR}
              height={height}
            >
              <title>{words}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="faint small">
        <span>{dayWords(first.day)}</span>
        <span>{dayWords(last.day)}</span>
      </figcaption>
    </figure>
  );
}
