import * as z from 'zod/mini';
import { fits, isObject } from './check.ts';
import {
  type Fields,
  type Inbound,
  inForm,
  type LooseFields,
  type Outbound,
  type Wire,
  wire,
} from './wire.ts';

declare const unlisted: unique symbol;

/**
 * A `type` or `subtype` that this version does not list. It is a string when the program runs; to the compiler
 * it is not one, so that comparing it with a listed name narrows the union.
 */
export interface UnknownName {
  readonly [unlisted]: true;
  toString(): string;
}

type Members = Record<string, Wire>;
type InboundMember<M extends Members> = { [N in keyof M]: Inbound<M[N]> }[keyof M];
type OutboundMember<M extends Members> = { [N in keyof M]: Outbound<M[N]> }[keyof M];

/** A member that is not listed: kept whole, with the fields that every member has. */
export type Unlisted<K extends string, F extends Fields = Fields> = z.infer<
  z.ZodMiniObject<LooseFields<F>, z.core.$loose>
> & {
  readonly [P in K]: UnknownName;
};

/**
 * Objects told apart by the name in `key`. One look-up finds the member's schema, however many there are.
 * Inbound, a name that is not listed is kept (with `common` fields checked); outbound it is refused.
 */
export function oneOf<K extends string, M extends Members, F extends Fields = Fields>(
  key: K,
  members: M,
  common?: F,
) {
  const listed = new Map<string, Wire>(Object.entries(members));
  return wire(
    () => {
      const kept = common ? z.looseObject(inForm(common, 'loose')) : z.unknown();
      return z
        .custom<InboundMember<M> | Unlisted<K, F>>()
        .check((payload) => dispatch(payload, key, (name) => listed.get(name)?.loose ?? kept));
    },
    () =>
      z
        .custom<OutboundMember<M>>()
        .check((payload) => dispatch(payload, key, (name) => listed.get(name)?.strict)),
  );
}

function dispatch(
  payload: z.core.ParsePayload,
  key: string,
  schemaOf: (name: string) => z.core.$ZodType | undefined,
): void {
  const input: unknown = payload.value;
  if (!isObject(payload, input)) return;
  const name = input[key];
  if (typeof name !== 'string') {
    payload.issues.push({ code: 'invalid_type', expected: 'string', input: name, path: [key] });
    return;
  }
  const schema = schemaOf(name);
  if (schema) fits(payload, schema, input);
  else payload.issues.push({ code: 'custom', input: name, path: [key] });
}
