import { declaredErrors, PLAIN_ROUTES, partsOf, ROUTES, type Route } from '@signalbox/protocol/hub/routes';

type Declared = Partial<Route> & Pick<Route, 'answer'>;

const TABLE: Readonly<Record<string, Declared>> = { ...ROUTES, ...PLAIN_ROUTES };

/** The routes, those whose path is fixed before those that have parameters, as the hub looks for them. */
const PATTERNS = Object.keys(TABLE)
  .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  .map((key) => {
    const { method, path } = partsOf(key);
    return { key, method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
  });

/** Raises an error for an answer that the table of routes does not have: it would be a wrong description of the API. */
export function assertDeclared(
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): void {
  const [bare = ''] = path.split('?');
  const key = PATTERNS.find((pattern) => pattern.method === method && pattern.path.test(bare))?.key;
  const route = key === undefined ? undefined : TABLE[key];
  if (key === undefined || !route) return;
  const { status, body } = answer;
  if (status < 300) {
    if (status !== (route.status ?? 200)) throw new Error(`${key} is not to be answered with ${status}`);
    if (route.gives === undefined) route.answer.parse(body);
    return;
  }
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  if (status === 500 || key in PLAIN_ROUTES) return;
  const declared: readonly unknown[] = declaredErrors(key, route);
  if (!declared.includes(code)) throw new Error(`${key} does not declare ${String(code)}`);
}
