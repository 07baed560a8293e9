import type { JsonObject } from '@signalbox/protocol';

/** A path with its parameters in the places of their names. */
export function withParams(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** A path with what is asked for; what is undefined is left out. */
export function withQuery(path: string, query: JsonObject): string {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`],
  );
  return words.length === 0 ? path : `${path}?${words.join('&')}`;
}
