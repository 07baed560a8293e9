import type { Exchange } from './exchange.ts';

/** Answers a request; `params` are what its path has in the places of names. */
export type Handler = (exchange: Exchange, params: Record<string, string>) => Promise<void> | void;

interface Pattern {
  method: string;
  path: RegExp;
  handler: Handler;
}

/** Finds who answers a request, by its method and path. */
export class Router {
  readonly #fixed = new Map<string, Handler>();
  readonly #patterns: Pattern[] = [];

  /** A path may have `{name}` in place of a part. One without goes before one with. */
  on(method: string, path: string, handler: Handler): void {
    if (!path.includes('{')) this.#fixed.set(`${method} ${path}`, handler);
    else {
      const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
      this.#patterns.push({ method, path: new RegExp(`^${pattern}$`), handler });
    }
  }

  /** Who asks for the head of something is answered by whoever gives it. */
  find({
    method,
    path,
  }: Pick<Exchange, 'method' | 'path'>): ((exchange: Exchange) => Promise<void> | void) | undefined {
    const asked = method === 'HEAD' ? 'GET' : method;
    const fixed = this.#fixed.get(`${asked} ${path}`);
    if (fixed) return (exchange) => fixed(exchange, {});
    for (const pattern of this.#patterns) {
      const params = pattern.method === asked ? paramsIn(pattern.path, path) : undefined;
      if (params) return (exchange) => pattern.handler(exchange, params);
    }
    return undefined;
  }
}

function paramsIn(pattern: RegExp, path: string): Record<string, string> | undefined {
  const found = pattern.exec(path)?.groups;
  if (!found) return undefined;
  try {
    return Object.fromEntries(
      Object.entries(found).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    // A path that cannot be decoded leads nowhere.
    return undefined;
  }
}
