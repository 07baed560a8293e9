/** JSON as tests take it apart. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function copy(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of `value` with what is at `path` (`a.b[0].c`) changed, or removed when `to` is undefined. */
export function changed(value: unknown, path: string, to: Json | undefined): Json {
  const root = copy(value);
  const keys = path.split(/[.[\]]+/).filter(Boolean);
  const last = keys.pop();
  let at: Json | undefined = root;
  for (const key of keys) at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined;
  if (last === undefined || !isObject(at)) throw new Error(`${path} is not in the sample`);
  if (to === undefined) delete at[last];
  else at[last] = to;
  return root;
}
