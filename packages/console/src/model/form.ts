import { type FormField, fieldFault, type JsonObject } from '@signalbox/protocol';
import { t } from '../words/t.ts';

/** What a field shows while it is filled in: text, a tick, or the values that are ticked. */
export type Draft = string | boolean | readonly string[];

/** A form as far as it is filled in; both by the name of the field. */
export interface FilledForm {
  content: JsonObject;
  problems: ReadonlyMap<string, string>;
}

/** What a field shows at first. */
export function firstDraft(field: FormField): Draft {
  switch (field.kind) {
    case 'text':
      return field.format === 'date-time' ? localTime(field.initial) : field.initial;
    case 'number':
      return field.initial === undefined ? '' : String(field.initial);
    case 'other':
      return '';
    default:
      return field.initial;
  }
}

/** What would be sent, and what is wrong with it. A field that is left empty is left out. */
export function fillIn(fields: readonly FormField[], drafts: ReadonlyMap<string, Draft>): FilledForm {
  const values = fields.map((field) => ({ field, value: valueOf(field, drafts.get(field.name) ?? '') }));
  const content = values.flatMap(({ field, value }) => (value === undefined ? [] : [[field.name, value]]));
  const problems = values.flatMap(({ field, value }): [string, string][] => {
    const fault = fieldFault(field, value);
    return fault === undefined ? [] : [[field.name, t.states.fault(fault)]];
  });
  return { content: Object.fromEntries(content), problems: new Map(problems) };
}

/** The values after one of them was clicked, in the order of the form. */
export function toggle({ options }: FormField & { kind: 'choices' }, chosen: Draft, value: string): Draft {
  const has = (one: string): boolean => Array.isArray(chosen) && chosen.includes(one);
  return options.map((option) => option.value).filter((one) => (one === value ? !has(one) : has(one)));
}

function valueOf(field: FormField, draft: Draft): unknown {
  if (typeof draft === 'boolean') return draft;
  if (typeof draft !== 'string') {
    const isLeftOut =
      draft.length === 0 && !field.isRequired && field.kind === 'choices' && field.minItems > 0;
    return isLeftOut ? undefined : draft;
  }
  if (draft.trim() === '') return undefined;
  if (field.kind === 'number') return Number(draft);
  return field.kind === 'text' && field.format === 'date-time' ? moment(draft) : draft;
}

/** People say when in the time of the place where they are, servers hear it in that of Greenwich. */
function moment(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}

function localTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  time.setMinutes(time.getMinutes() - time.getTimezoneOffset());
  return time.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
