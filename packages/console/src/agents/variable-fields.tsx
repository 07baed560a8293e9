import { useState } from 'react';
import { wordIn } from '../parts/form-dialog.tsx';
import { t } from '../words/t.ts';

/** Variables of an agent. What is stored is not shown: it can be replaced or taken away. */
export function VariableFields({ known }: { known: readonly string[] }) {
  const [added, setAdded] = useState(0);
  return (
    <fieldset className="variables">
      <legend>{t.agents.variables}</legend>
      {known.map((name) => (
        <div key={name} className="variable">
          <label className="mono">
            {name}
            <input
              className="field mono"
              name={`${KEPT}${name}`}
              type="password"
              placeholder={t.agents.stays}
              autoComplete="off"
            />
          </label>
          <label className="option">
            <input type="checkbox" name={`${GONE}${name}`} /> {t.agents.takeAway(name)}
          </label>
        </div>
      ))}
      {Array.from({ length: added }, (_, at) => (
        <div key={at} className="pair">
          <label>
            {t.agents.variableName}
            <input
              className="field mono"
              name={`${NEW_NAME}${at}`}
              pattern="[^=]+"
              placeholder="ANTHROPIC_API_KEY"
              autoCapitalize="off"
              autoComplete="off"
              spellCheck={false}
            />
          </label>
          <label>
            {t.agents.variableValue}
            <input className="field mono" name={`${NEW_VALUE}${at}`} type="password" autoComplete="off" />
          </label>
        </div>
      ))}
      <button type="button" className="button quiet" onClick={() => setAdded(added + 1)}>
        {t.agents.addVariable}
      </button>
    </fieldset>
  );
}

const KEPT = 'kept:';
const GONE = 'gone:';
const NEW_NAME = 'new-name:';
const NEW_VALUE = 'new-value:';

/** What is to become of the variables: null takes one away, and one that is not named stays. */
export function variablesIn(form: FormData): Record<string, string | null> {
  const variables: Record<string, string | null> = {};
  for (const [field, value] of form) {
    if (typeof value !== 'string') continue;
    if (field.startsWith(KEPT) && value !== '') variables[field.slice(KEPT.length)] = value;
    if (field.startsWith(GONE)) variables[field.slice(GONE.length)] = null;
    if (!field.startsWith(NEW_VALUE)) continue;
    const name = wordIn(form, `${NEW_NAME}${field.slice(NEW_VALUE.length)}`);
    if (name !== '') variables[name] = value;
  }
  return variables;
}
