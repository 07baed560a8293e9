import {
  declaredErrors,
  PLAIN_ROUTES,
  PROBLEM_STATUS,
  paramsOf,
  partsOf,
  problem,
  type Route,
  takesKey,
} from '@signalbox/protocol/hub/routes';
import * as z from 'zod';

/** The version of the API; it changes when something that worked would not any more. */
const API_VERSION = '1';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

/** What is described. Without a scope it takes no token. */
type Described = Omit<Route, 'scope'> & Partial<Pick<Route, 'scope'>>;

const PLAIN: Readonly<Record<string, Described>> = PLAIN_ROUTES;

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  description:
    'repeated with the same request within a day, it gets the first answer, and nothing is done twice',
};

/** The description of all that answers, made of the schemas that check requests. */
export function openApiOf(endpoints: readonly { key: string; route: Route }[]): object {
  const paths: Record<string, Record<string, object>> = {};
  const routes: [string, Described][] = [
    ...endpoints.map(({ key, route }): [string, Described] => [key, route]),
    ...Object.entries(PLAIN),
  ];
  for (const [key, route] of routes) {
    const { method, path } = partsOf(key);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(key, route) };
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

function operation(key: string, route: Described): object {
  const { summary, scope, query, body, status = 200, answer, gives = JSON_TYPE, takes } = route;
  const parameters = [
    ...parametersIn('path', paramsOf(partsOf(key).path)),
    ...(query ? parametersIn('query', query) : []),
    ...(takesKey(key, route) ? [KEY] : []),
  ];
  const content = takes ? { [takes]: {} } : body && { [JSON_TYPE]: { schema: jsonSchema(body, 'input') } };
  return {
    summary,
    ...(scope ? { description: `Takes a token with the scope ${scope}.` } : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [status]: { description: summary, content: { [gives]: { schema: jsonSchema(answer, 'output') } } },
      ...refusals(key, route),
      default: problemWith('The hub failed; its log says why'),
    },
  };
}

/** The refusals of a route by their status. */
function refusals(key: string, route: Described): Record<string, object> {
  const codes = declaredErrors(key, route);
  const statuses = [...new Set(codes.map((code) => PROBLEM_STATUS[code]))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => PROBLEM_STATUS[code] === status);
      return [status, problemWith(ofStatus.join(', '))];
    }),
  );
}

function problemWith(description: string): object {
  return { description, content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } } };
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
