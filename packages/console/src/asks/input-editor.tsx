import { useId } from 'react';
import type { InputField } from '../model/edited-input.ts';
import { t } from '../words/t.ts';

/** The input of a call, to be changed before it is allowed. */
export default function InputEditor({
  fields,
  onFields,
}: {
  fields: readonly InputField[];
  onFields: (fields: readonly InputField[]) => void;
}) {
  const id = useId();
  if (fields.length === 0) return <p className="faint">{t.asks.noInput}</p>;
  return (
    <div className="input-editor">
      {fields.map(({ name, kind, text }, at) => (
        <div key={name}>
          <label htmlFor={`${id}-${at}`}>
            {name} {kind === 'json' && <span className="faint">{t.asks.asJson}</span>}
          </label>
          <textarea
            id={`${id}-${at}`}
            className="field mono"
            dir={kind === 'json' ? 'ltr' : 'auto'}
            rows={1}
            spellCheck={false}
            autoFocus={at === 0}
            value={text}
            onChange={({ target }) =>
              onFields(
                fields.map((field, place) => (place === at ? { ...field, text: target.value } : field)),
              )
            }
          />
        </div>
      ))}
    </div>
  );
}
