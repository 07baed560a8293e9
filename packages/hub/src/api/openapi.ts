import * as z from 'zod';
import { nothing, type Route } from './route.ts';
import { signIn } from './schemas.ts';

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
const TEXT_TYPE = 'text/plain';

/** What is described. Without a scope it takes no token. */
interface Described extends Omit<Route, 'serve' | 'scope' | 'takes' | 'gives'> {
  scope?: Route['scope'];
  takes?: string;
  gives?: string;
}

const plain = { params: nothing, query: nothing, body: nothing, status: 200, answer: z.string() } as const;

/** What there is beside the routes: signing in, and what is not JSON. */
const BESIDE: readonly Described[] = [
  {
    ...plain,
    method: 'post',
    path: '/api/sign-in',
    summary:
      'Sign a browser in: one part of its token is the cookie, the other what its page sends as bearer',
    body: signIn,
    answer: z.object({ bearer: z.string() }),
  },
  {
    ...plain,
    method: 'post',
    path: '/api/sign-out',
    summary: 'Revoke the token that comes along',
    scope: 'watch',
    answer: z.object({ ok: z.literal(true) }),
  },
  { ...plain, method: 'get', path: '/healthz', summary: 'Whether the hub lives', gives: TEXT_TYPE },
  { ...plain, method: 'get', path: '/readyz', summary: 'Whether its store does', gives: TEXT_TYPE },
  {
    ...plain,
    method: 'get',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    scope: 'watch',
    gives: TEXT_TYPE,
  },
];

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  description:
    'repeated with the same request within a day, it gets the first answer, and nothing is done twice',
};

/** The description of all that answers, made of the schemas that check requests. */
export function openApiOf(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const { path, method, takes = JSON_TYPE } = route;
    const isRepeatable = method === 'post' && takes === JSON_TYPE;
    paths[path] = { ...paths[path], [method]: operation(route, isRepeatable ? [KEY] : []) };
  }
  for (const other of BESIDE) paths[other.path] = { [other.method]: operation(other) };
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

function operation(
  { summary, scope, params, query, body, status, answer, takes = JSON_TYPE, gives = JSON_TYPE }: Described,
  headers: readonly object[] = [],
): object {
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query), ...headers];
  const bodySchema = jsonSchema(body, 'input');
  return {
    summary,
    ...(scope ? { description: `Takes a token with the scope ${scope}.` } : { security: [] }),
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
