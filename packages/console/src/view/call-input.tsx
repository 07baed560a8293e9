import { isJsonObject, type JsonObject, listAt, otherFields, spelledOut, textAt } from '@signalbox/protocol';
import { type DiffLine, diffLines } from '../model/line-diff.ts';
import { LongText } from './long-text.tsx';
import { Markdown } from './markdown.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** What a tool is called with, as a person reads it; `patch` is what an edit really changed. */
export function CallInput({
  name,
  input,
  patch = [],
  isWhole = false,
}: {
  name: string;
  input: JsonObject;
  patch?: readonly unknown[];
  /** Somebody decides about it: nothing is left out, and what cannot be seen is spelled out. */
  isWhole?: boolean;
}) {
  const changed = patch.flatMap((hunk) => listAt(hunk, 'lines')).map((line) => patchLine(String(line)));
  if (changed.length > 0) return <Diff lines={changed} isWhole={false} />;
  if (!isWhole) return <MainInput name={name} input={input} isWhole={false} />;
  return (
    <>
      <MainInput name={name} input={input} isWhole />
      <Fields fields={otherFields(name, input)} />
    </>
  );
}

/** What a call is about; for a tool without a view of its own that is every field. */
function MainInput({ name, input, isWhole }: { name: string; input: JsonObject; isWhole: boolean }) {
  const text = (field: string, of: unknown = input): string =>
    isWhole ? spelledOut(textAt(of, field)) : textAt(of, field);
  switch (name) {
    case 'Bash':
      return <pre className="code command">{text('command')}</pre>;
    case 'Edit':
      return <Diff lines={diffLines(text('old_string'), text('new_string'))} isWhole={isWhole} />;
    case 'MultiEdit':
      return listAt(input, 'edits').map((edit, index) => (
        <div key={index}>
          <Diff lines={diffLines(text('old_string', edit), text('new_string', edit))} isWhole={isWhole} />
          {isWhole && isJsonObject(edit) && <Fields fields={otherFields('Edit', edit)} />}
        </div>
      ));
    case 'Write':
      return <Diff lines={diffLines('', text('content'))} isWhole={isWhole} />;
    case 'Task':
    case 'Agent':
      return isWhole ? <pre className="code">{text('prompt')}</pre> : <LongText text={text('prompt')} />;
  }
  // All of their fields are among the others.
  if (isWhole) return null;
  switch (name) {
    case 'TodoWrite':
      return <Todos todos={listAt(input, 'todos')} />;
    case 'ExitPlanMode':
      return <Markdown text={textAt(input, 'plan')} />;
    default:
      return <Fields fields={Object.entries(input)} isLong />;
  }
}

/** More lines than this are a file to read, not a change to look at. */
const SHOWN_LINES = 400;

function Diff({ lines, isWhole }: { lines: readonly DiffLine[]; isWhole: boolean }) {
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES);
  return (
    <ScrollBox className="code diff" label="Changes">
      {shown.map(({ sign, text }, index) => (
        <div key={index} className="diff-line" data-sign={sign}>
          <span aria-hidden="true">{sign}</span>
          {text || ' '}
        </div>
      ))}
      {lines.length > shown.length && <div className="faint">{lines.length - shown.length} more lines</div>}
    </ScrollBox>
  );
}

function patchLine(line: string): DiffLine {
  const [sign = ' '] = line;
  return { sign: sign === '+' || sign === '-' ? sign : ' ', text: line.slice(1) };
}

function Todos({ todos }: { todos: readonly unknown[] }) {
  return (
    <ul className="todos">
      {todos.map((todo, index) => (
        <li key={index} data-status={textAt(todo, 'status')}>
          {textAt(todo, 'content')}
        </li>
      ))}
    </ul>
  );
}

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
  return (
    <dl className="fields">
      {fields.map(([name, value]) => {
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
