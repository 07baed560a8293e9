import { spelledOut } from '@signalbox/protocol';
import { LongText } from '../markdown/long-text.tsx';
import { firstOf } from '../model/many.ts';
import { t } from '../words/t.ts';

/** A value that has room beside its name. */
const SHORT_CHARACTERS = 24;

/** Fields by their names; `isLong` leaves long values to be opened. */
export function Fields({
  fields,
  isLong = false,
}: {
  fields: readonly (readonly [name: string, value: unknown])[];
  isLong?: boolean;
}) {
  if (fields.length === 0) return null;
  const [first, rest] = firstOf(fields);
  const shown = rest.length > 0 ? [...first, [t.common.more(rest.length), rest] as const] : first;
  return (
    <dl className="fields">
      {shown.map(([name, value]) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
        const isShort = text.length <= SHORT_CHARACTERS && !text.includes('\n');
        return (
          <div key={name} data-length={isShort ? 'short' : 'long'}>
            <dt>{spelledOut(name)}</dt>
            <dd>{isLong ? <LongText text={text} /> : <pre className="code">{spelledOut(text)}</pre>}</dd>
          </div>
        );
      })}
    </dl>
  );
}
