import { isJsonObject, type JsonObject, listAt, otherFields, spelledOut, textAt } from '@signalbox/protocol';
import { diffLines } from '../model/line-diff.ts';
import { firstOf } from '../model/many.ts';
import { t } from '../words/t.ts';
import { Diff } from './diff.tsx';
import { Fields } from './fields.tsx';

/** All of what a tool would be called with: somebody decides about it, so nothing is left out, and what cannot be seen is spelled out. */
export function CallInput({ name, input }: { name: string; input: JsonObject }) {
  return (
    <>
      <MainInput name={name} input={input} />
      <Fields fields={otherFields(name, input)} />
    </>
  );
}

/** What a call is about; of a tool without a view of its own every field is among the others. */
function MainInput({ name, input }: { name: string; input: JsonObject }) {
  const text = (field: string, of: unknown = input): string => spelledOut(textAt(of, field));
  switch (name) {
    case 'Bash':
      return <pre className="code command">{text('command')}</pre>;
    case 'Edit':
      return <Diff lines={diffLines(text('old_string'), text('new_string'))} isWhole />;
    case 'MultiEdit': {
      const [edits, rest] = firstOf(listAt(input, 'edits'));
      return (
        <>
          {edits.map((edit, index) => (
            <div key={index}>
              <Diff lines={diffLines(text('old_string', edit), text('new_string', edit))} isWhole />
              {isJsonObject(edit) && <Fields fields={otherFields('Edit', edit)} />}
            </div>
          ))}
          {rest.length > 0 && <Fields fields={[[t.tools.moreEdits(rest.length), rest]]} />}
        </>
      );
    }
    case 'Write':
      return <Diff lines={diffLines('', text('content'))} isWhole />;
    case 'Task':
    case 'Agent':
      return <pre className="code">{text('prompt')}</pre>;
    default:
      return null;
  }
}
