import { type FormField, formFields } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type Draft, fillIn, firstDraft, toggle } from '../src/model/form.ts';
import { webAddress } from '../src/model/web-address.ts';

const PROPERTIES = {
  name: { type: 'string', minLength: 2 },
  age: { type: 'integer', default: 42 },
  when: { type: 'string', format: 'date-time', default: '2026-07-31T09:30:00.000Z' },
  news: { type: 'boolean' },
  colour: { type: 'string', enum: ['red', 'green'] },
  tools: { type: 'array', items: { enum: ['saw', 'axe', 'plane'] }, minItems: 1, default: ['axe'] },
};

function draftsOf(fields: readonly FormField[], changes: Record<string, Draft> = {}): Map<string, Draft> {
  const first = fields.map((field): [string, Draft] => [field.name, firstDraft(field)]);
  return new Map([...first, ...Object.entries(changes)]);
}

describe('a form on the page', () => {
  it('[CO14] begins with its defaults, and leaves out what is empty', () => {
    const fields = formFields({ properties: PROPERTIES });
    expect(fillIn(fields, draftsOf(fields))).toEqual({
      content: { age: 42, when: '2026-07-31T09:30:00.000Z', news: false, tools: ['axe'] },
      problems: new Map(),
    });
    const cleared = draftsOf(fields, { age: ' ', when: '', tools: [] });
    expect(fillIn(fields, cleared).content).toEqual({ news: false });
  });

  it('[CO14] sends numbers as numbers, a local time as a moment, and several choices in their order', () => {
    const fields = formFields({ properties: PROPERTIES });
    const [name, age, when, , , tools] = fields;
    if (!name || !age || !when || tools?.kind !== 'choices') throw new Error('There are six fields.');
    const filled = draftsOf(fields, {
      age: '-7',
      when: '2026-01-02T03:04',
      tools: toggle(tools, toggle(tools, ['axe'], 'plane'), 'saw'),
    });
    expect(fillIn(fields, filled).content).toMatchObject({
      age: -7,
      when: new Date(2026, 0, 2, 3, 4).toISOString(),
      tools: ['saw', 'axe', 'plane'],
    });
    expect(toggle(tools, ['axe', 'saw'], 'axe')).toEqual(['saw']);
  });

  it('[CO14] says what is wrong by field', () => {
    const fields = formFields({ properties: PROPERTIES, required: ['colour', 'tools'] });
    const { problems } = fillIn(fields, draftsOf(fields, { name: 'Z', age: '1,5', tools: [] }));
    expect(Object.fromEntries(problems)).toEqual({
      name: 'must have at least 2 characters',
      age: 'must be a number',
      colour: 'must be filled in',
      tools: 'must have at least 1 choice',
    });
  });

  it('[CO15] opens addresses of web pages only, with their real host', () => {
    expect(webAddress('https://bank.example@evil.example/x')).toMatchObject({ host: 'evil.example' });
    expect(webAddress('http://bänk.example')).toMatchObject({ host: 'xn--bnk-qla.example' });
    for (const other of ['javascript:alert(1)', 'file:///etc/passwd', 'example.com', ''])
      expect(webAddress(other)).toBeUndefined();
  });
});
