import * as z from 'zod';
import type { Route } from './route.ts';

/** The version of the API; it changes when something that worked would not any more. */
const API_VERSION = '1';

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string().describe('a code of docs/ERRORS.md'),
  session: z.string().exactOptional().describe('the session that there is all the same'),
});

const JSON_TYPE = 'application/json';

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  description:
    'repeated with the same request within a day, it gets the first answer, and nothing is done twice',
};

/** The description of all routes, made of the schemas that check them. */
export function openApiOf(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Signalbox hub', version: API_VERSION },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: jsonSchema(problem, 'output') },
    },
    security: [{ token: [] }],
  };
}

function operation({ method, summary, scope, params, query, body, status, answer, ...types }: Route): object {
  const { takes = JSON_TYPE, gives = JSON_TYPE } = types;
  const parameters = [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...(method === 'post' && takes === JSON_TYPE ? [KEY] : []),
  ];
  const bodySchema = jsonSchema(body, 'input');
  return {
    summary,
    description: `Takes a token with the scope ${scope}.`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(Object.keys(bodySchema).length > 0
      ? { requestBody: { required: true, content: { [takes]: { schema: bodySchema } } } }
      : {}),
    responses: {
      [status]: {
        description: summary,
        content: { [gives]: { schema: jsonSchema(answer, 'output') } },
      },
      default: {
        description: 'What went wrong',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType): object[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input');
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: of,
  }));
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
