import type { FormField } from '@signalbox/protocol';
import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { type Draft, toggle } from '../model/form.ts';
import { t } from '../words/t.ts';

interface FieldParts<Field extends FormField> {
  field: Field;
  draft: Draft;
  /** What is wrong with it; undefined while nothing is. */
  problem: string | undefined;
  onDraft: (draft: Draft) => void;
}

type FieldOf<Kind extends FormField['kind']> = Extract<FormField, { kind: Kind }>;

/** A field of a form, with what it is for and what is wrong with it. */
export function FieldView({ field, ...parts }: FieldParts<FormField>) {
  if (field.kind === 'flag') return <Flag field={field} {...parts} />;
  if (field.kind === 'choices') return <Choices field={field} {...parts} />;
  return <Box field={field} {...parts} />;
}

function Flag({ field, draft, problem, onDraft }: FieldParts<FieldOf<'flag'>>) {
  const { spoken, purpose, trouble } = useWords(field, problem);
  return (
    <div className="form-field">
      <label className="option">
        <input
          {...spoken}
          type="checkbox"
          checked={draft === true}
          onChange={(event) => onDraft(event.target.checked)}
        />
        <span>
          <b>{field.title}</b>
          {purpose}
        </span>
      </label>
      {trouble}
    </div>
  );
}

function Choices({ field, draft, problem, onDraft }: FieldParts<FieldOf<'choices'>>) {
  const { spoken, name, purpose, trouble } = useWords(field, problem);
  return (
    <fieldset className="form-field">
      <legend>{name}</legend>
      {purpose}
      {field.options.map(({ value, title }) => (
        <label key={value} className="option">
          <input
            {...spoken}
            type="checkbox"
            checked={Array.isArray(draft) && draft.includes(value)}
            onChange={() => onDraft(toggle(field, draft, value))}
          />
          {title}
        </label>
      ))}
      {trouble}
    </fieldset>
  );
}

function Box({
  field,
  draft,
  problem,
  onDraft,
}: FieldParts<Exclude<FormField, FieldOf<'flag' | 'choices'>>>) {
  const { spoken, name, purpose, trouble } = useWords(field, problem);
  const id = useId();
  const box = {
    ...spoken,
    id,
    className: 'field',
    dir: 'auto',
    'aria-required': field.isRequired,
    value: String(draft),
    onChange: (event: { target: { value: string } }) => onDraft(event.target.value),
  };
  return (
    <div className="form-field">
      <label htmlFor={id}>{name}</label>
      {purpose}
      {field.kind === 'choice' ? (
        <select {...box}>
          <option value="">{field.isRequired ? t.asks.chooseOne : t.asks.none}</option>
          {field.options.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      ) : (
        <input {...box} {...inputFor(field)} />
      )}
      {trouble}
    </div>
  );
}

/** What is said about a field, and how its input refers to that for those who hear the page. */
function useWords({ title, description, isRequired }: FormField, problem: string | undefined) {
  const id = useId();
  const [purposeId, problemId] = [`${id}purpose`, `${id}problem`];
  const name: ReactNode = (
    <>
      {title} {isRequired && <span className="required">{t.asks.required}</span>}
    </>
  );
  const purpose: ReactNode = description !== '' && (
    <p id={purposeId} className="faint">
      {description}
    </p>
  );
  const trouble: ReactNode = problem !== undefined && (
    <p id={problemId} className="problem">
      {problem}
    </p>
  );
  const spoken = {
    'aria-invalid': problem !== undefined,
    'aria-describedby': [purpose && purposeId, trouble && problemId].filter(Boolean).join(' ') || undefined,
  };
  return { spoken, name, purpose, trouble };
}

/** Nothing but dates is left to the browser: numbers that it cannot read it would take for an empty field. */
function inputFor(field: FormField): InputHTMLAttributes<HTMLInputElement> {
  if (field.kind === 'number') {
    // The keyboards for numbers have no sign.
    return field.minimum < 0 ? {} : { inputMode: field.isInteger ? 'numeric' : 'decimal' };
  }
  switch (field.kind === 'text' ? field.format : undefined) {
    case 'date':
      return { type: 'date' };
    case 'date-time':
      return { type: 'datetime-local' };
    case 'email':
      return { inputMode: 'email', autoComplete: 'email', autoCapitalize: 'off' };
    case 'uri':
      return { inputMode: 'url', autoComplete: 'url', autoCapitalize: 'off' };
    default:
      return {};
  }
}
