import { type JsonObject, listAt, textAt } from '@signalbox/protocol';
import { type DiffLine, diffLines } from '../model/line-diff.ts';
import { LongText } from './long-text.tsx';
import { Markdown } from './markdown.tsx';

/** What a tool is called with, as a person reads it; `patch` is what an edit really changed. */
export function CallInput({
  name,
  input,
  patch = [],
}: {
  name: string;
  input: JsonObject;
  patch?: readonly unknown[];
}) {
  const changed = patch.flatMap((hunk) => listAt(hunk, 'lines')).map((line) => patchLine(String(line)));
  if (changed.length > 0) return <Diff lines={changed} />;
  switch (name) {
    case 'Bash':
      return <pre className="code command">{textAt(input, 'command')}</pre>;
    case 'Edit':
      return <Diff lines={diffLines(textAt(input, 'old_string'), textAt(input, 'new_string'))} />;
    case 'MultiEdit':
      return (
        <Diff
          lines={listAt(input, 'edits').flatMap((edit) =>
            diffLines(textAt(edit, 'old_string'), textAt(edit, 'new_string')),
          )}
        />
      );
    case 'Write':
      return <Diff lines={diffLines('', textAt(input, 'content'))} />;
    case 'TodoWrite':
      return <Todos todos={listAt(input, 'todos')} />;
    case 'ExitPlanMode':
      return <Markdown text={textAt(input, 'plan')} />;
    case 'Task':
    case 'Agent':
      return <LongText text={textAt(input, 'prompt')} />;
    default:
      return <Fields input={input} />;
  }
}

/** More lines than this are a file to read, not a change to look at. */
const SHOWN_LINES = 400;

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <div className="code diff">
      {lines.slice(0, SHOWN_LINES).map(({ sign, text }, index) => (
        <div key={index} className="diff-line" data-sign={sign}>
          <span aria-hidden="true">{sign}</span>
          {text || ' '}
        </div>
      ))}
      {lines.length > SHOWN_LINES && <div className="faint">{lines.length - SHOWN_LINES} more lines</div>}
    </div>
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

function Fields({ input }: { input: JsonObject }) {
  const fields = Object.entries(input);
  if (fields.length === 0) return null;
  return (
    <dl className="fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <LongText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
