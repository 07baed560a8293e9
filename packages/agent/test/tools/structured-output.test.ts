import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/tools/schema/json-schema.ts';
import { structuredOutputTool } from '../../src/tools/structured-output.ts';
import { openBench } from './tool-bench.ts';

describe('StructuredOutput', () => {
  it('[TL35] hands over a value that fits, and tells the model what is wrong with one that does not', async () => {
    const { run } = await openBench();
    const values: JsonObject[] = [];
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const tool = structuredOutputTool(schema, (value) => values.push(value));
    expect(tool.inputSchema()).toEqual(schema);
    await expect(run(tool, { name: 7 })).rejects.toMatchObject({
      code: 'TOOL_INPUT_INVALID',
      message: 'StructuredOutput was called with a wrong input:\n- `name` must be string, not integer',
    });
    expect(values).toEqual([]);
    expect(await run(tool, { name: 'zoe' })).toEqual({
      content: 'Structured output provided successfully',
      structured: 'Structured output provided successfully',
    });
    expect(values).toEqual([{ name: 'zoe' }]);
  });
});

describe('a JSON Schema', () => {
  it.each<[string, unknown, unknown[], unknown[]]>([
    ['type', { type: 'number' }, [1, 1.5], ['1', null, [], {}]],
    ['type integer', { type: 'integer' }, [1, 2.0], [1.5, '1']],
    ['types', { type: ['string', 'null'] }, ['', null], [0, false]],
    ['enum', { enum: ['a', 1, { b: [1, 2] }] }, ['a', 1, { b: [1, 2] }], ['b', '1', { b: [2, 1] }]],
    ['const', { const: null }, [null], [0, '', {}]],
    ['minimum, maximum', { minimum: 1, maximum: 3 }, [1, 3, 'x'], [0, 3.1]],
    ['exclusive bounds', { exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
    ['multipleOf', { multipleOf: 0.1 }, [0.3, 1, 0], [0.35]],
    ['lengths', { minLength: 2, maxLength: 3 }, ['ab', '😀😀😀'], ['a', 'abcd', '😀']],
    ['pattern', { pattern: '^a+$' }, ['aa', 5], ['ab', '']],
    ['format', { type: 'string', format: 'email' }, ['no address'], [1]],
    ['properties', { properties: { a: { type: 'string' } } }, [{}, { a: '', b: 1 }, 7], [{ a: 1 }]],
    ['required', { required: ['a', 'toString'] }, [{ a: 1, toString: 1 }], [{}, { a: 1 }]],
    ['no others', { properties: { a: true }, additionalProperties: false }, [{ a: 1 }, {}], [{ b: 1 }]],
    ['others', { additionalProperties: { type: 'string' } }, [{ b: '' }], [{ b: 1 }]],
    [
      'patterns',
      { patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
      [{ xa: 1 }],
      [{ xa: '' }, { y: 1 }],
    ],
    ['names', { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
    ['number of properties', { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
    ['items', { items: { type: 'number' } }, [[], [1]], [['1']]],
    ['first items', { prefixItems: [{ type: 'string' }], items: false }, [[], ['a']], [[1], ['a', 1]]],
    ['old first items', { items: [{ type: 'string' }], additionalItems: false }, [['a']], [[1], ['a', 1]]],
    ['number of items', { minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
    [
      'unique items',
      { uniqueItems: true },
      [[1, '1', { a: 1 }]],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    ['contains', { contains: { const: 1 } }, [[0, 1]], [[], [0]]],
    ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['', 5], [4]],
    ['oneOf', { oneOf: [{ type: 'integer' }, { minimum: 5 }] }, [1, 5.5], [5, 0.5]],
    ['allOf', { allOf: [{ type: 'integer' }, { minimum: 5 }] }, [5], [4, 5.5]],
    ['not', { not: { type: 'string' } }, [1], ['']],
    [
      'if',
      JSON.parse('{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"number"}}'),
      ['a', 1],
      ['', null],
    ],
    ['false', false, [], [1, null]],
    ['true', true, [1, null], []],
    ['a reference', { $ref: '#/$defs/a~1b', minimum: 2 }, [2], ['', 1]],
    [
      'a recursive reference',
      { $ref: '#/$defs/tree' },
      [{}, { next: { next: {} } }],
      [{ next: { next: 1 } }],
    ],
  ])('[TL36] %s', (_name, part, fitting, others) => {
    const $defs = {
      'a/b': { type: 'number' },
      tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } },
    };
    const problems = compileSchema({ type: 'object', properties: { it: part }, $defs });
    for (const value of fitting) expect(problems({ it: value })).toEqual([]);
    for (const value of others) expect(problems({ it: value })).not.toEqual([]);
  });

  it('[TL36] tells where a value is wrong', () => {
    const problems = compileSchema({
      type: 'object',
      properties: { list: { items: { properties: { a: { type: 'string' } }, required: ['b'] } } },
    });
    expect(problems({ list: [{ a: '', b: 1 }, { a: null }] })).toEqual([
      '`list.1.b` is missing',
      '`list.1.a` must be string, not null',
    ]);
    expect(problems('text')).toEqual(['the value must be object, not string']);
    const many = compileSchema({ required: Array.from({ length: 100 }, (_, at) => `p${at}`) });
    expect(many({})).toHaveLength(20);
  });

  it.each<[string, JsonObject]>([
    ['is no object', { type: 'array' }],
    ['has an unknown type', { properties: { a: { type: 'text' } } }],
    ['has a wrong pattern', { properties: { a: { pattern: '(' } } }],
    ['has a wrong name pattern', { patternProperties: { '[': true } }],
    ['leads nowhere', { properties: { a: { $ref: '#/$defs/missing' } } }],
    ['leads elsewhere', { properties: { a: { $ref: 'https://example.com/schema' } } }],
    ['has no schema where one belongs', { properties: { a: 'string' } }],
  ])('[TL37] that %s is refused before it is used', (_name, schema) => {
    expect(() => compileSchema(schema)).toThrow(expect.objectContaining({ code: 'JSON_SCHEMA_INVALID' }));
  });

  it('[TL37] that only leads to itself is refused', () => {
    const problems = compileSchema({ properties: { a: { $ref: '#/properties/a' } } });
    expect(() => problems({ a: 1 })).toThrow('refers to itself without end');
  });
});
