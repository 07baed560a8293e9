import { describe, expect, it } from 'vitest';
import { fieldProblem, formFields } from '../../src/index.ts';

/** What is wrong with each value for a field of this kind. */
function problems(property: unknown, values: readonly unknown[]): (string | undefined)[] {
  const [field] = formFields({ type: 'object', properties: { field: property } });
  if (!field) throw new Error('There is one field.');
  return values.map((value) => fieldProblem(field, value));
}

const FINE = undefined;

describe('a form of an MCP server', () => {
  it('[FO1] has its fields in their order, with what they are called, what is needed and what they begin with', () => {
    const fields = formFields({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Your name', description: 'As on the door', default: 'Zoe' },
        constructor: { type: 'integer', minimum: 1 },
        news: { type: 'boolean', default: true },
        broken: 'not a field',
        later: { type: 'hologram' },
      },
      required: ['name', 'constructor'],
    });
    expect(fields).toMatchObject([
      { name: 'name', kind: 'text', title: 'Your name', description: 'As on the door', initial: 'Zoe' },
      { name: 'constructor', kind: 'number', title: 'constructor', minimum: 1, maximum: Infinity },
      { name: 'news', kind: 'flag', initial: true },
      { name: 'later', kind: 'other' },
    ]);
    expect(fields.map(({ isRequired }) => isRequired)).toEqual([true, true, false, false]);
    expect([formFields(undefined), formFields({ properties: [] })]).toEqual([[], []]);
  });

  it('[FO1] has its options in each of the ways that the protocol has to say them', () => {
    const named = [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ];
    const fields = formFields({
      properties: {
        bare: { type: 'string', enum: ['r', 'g'] },
        beside: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'], default: 'g' },
        pairs: { type: 'string', oneOf: named },
        several: { type: 'array', items: { type: 'string', enum: ['r', 'g'] }, minItems: 1 },
        pairsOfSeveral: { type: 'array', items: { anyOf: named }, default: ['r'] },
      },
    });
    const bare = [
      { value: 'r', title: 'r' },
      { value: 'g', title: 'g' },
    ];
    const titled = named.map(({ const: value, title }) => ({ value, title }));
    expect(fields).toMatchObject([
      { kind: 'choice', options: bare, initial: '' },
      { kind: 'choice', options: titled, initial: 'g' },
      { kind: 'choice', options: titled },
      { kind: 'choices', options: bare, minItems: 1, initial: [] },
      { kind: 'choices', options: titled, initial: ['r'] },
    ]);
  });

  it('[FO2] says what is wrong with a text: its kind, its length, its format', () => {
    expect(
      problems({ type: 'string', minLength: 2, maxLength: 3 }, [7, 'a', 'ab', '👩👩👩', 'abcd']),
    ).toEqual([
      'must be text',
      'must have at least 2 characters',
      FINE,
      FINE,
      'must have at most 3 characters, not 4',
    ]);
    const formats: [format: string, good: string[], bad: string[]][] = [
      ['email', ['ada@example.com', 'root@localhost'], ['ada', 'a b@example.com', 'ada@']],
      ['uri', ['https://example.com/a?b#c', 'mailto:ada@example.com'], ['example.com', 'https://a b', '/a']],
      ['date', ['2024-02-29'], ['2023-02-29', '2024-02-30', '29.02.2024', '2024-2-29', '']],
      [
        'date-time',
        ['2026-07-31T09:30:00Z', '2026-07-31t09:30:00.25+02:00'],
        ['2026-07-31', '2026-07-31T09:30:00', '2026-02-30T09:30:00Z', '2026-07-31T25:00:00Z'],
      ],
      ['a-newer-one', ['anything'], []],
    ];
    for (const [format, good, bad] of formats) {
      expect(problems({ type: 'string', format }, good)).toEqual(good.map(() => FINE));
      expect(problems({ type: 'string', format }, bad)).toEqual(
        bad.map(() => expect.stringMatching(/^must be an? .*, like /)),
      );
    }
  });

  it('[FO2] says what is wrong with a number, a yes or no, and a choice', () => {
    const number = { type: 'number', minimum: 0, maximum: 1.5 };
    expect(problems(number, ['1', Number.NaN, -0.1, 0, 1.5, 2])).toEqual([
      'must be a number',
      'must be a number',
      'must be 0 or more',
      FINE,
      FINE,
      'must be 1.5 or less',
    ]);
    expect(problems({ type: 'integer' }, [1.5, -3])).toEqual(['must be a whole number', FINE]);
    expect(problems({ type: 'boolean' }, ['yes', false])).toEqual(['must be true or false', FINE]);
    expect(problems({ type: 'string', enum: ['r', 'g'] }, ['b', 'g'])).toEqual(['must be one of r, g', FINE]);
    const several = { type: 'array', items: { enum: ['r', 'g', 'b'] }, minItems: 1, maxItems: 2 };
    expect(problems(several, ['r', ['x'], [], ['r'], ['r', 'g', 'b']])).toEqual([
      'must be a list',
      'must have values out of r, g, b',
      'must have at least 1 choice',
      FINE,
      'must have at most 2 choices',
    ]);
    expect(problems({ type: 'hologram' }, [{ any: 'thing' }])).toEqual([FINE]);
  });

  it('[FO2] misses a field only where it is needed', () => {
    const properties = { needed: { type: 'string' }, other: { type: 'string', minLength: 3 } };
    const fields = formFields({ properties, required: ['needed'] });
    expect(fields.map((field) => fieldProblem(field, undefined))).toEqual(['must be filled in', FINE]);
  });
});
