import * as z from 'zod/mini';
import { listSchema, mapSchema, objectSchema } from './check.ts';

type Schema = z.core.$ZodType;

/** One shape of the wire in its two forms: `loose` for what a peer said, `strict` for what we say. */
export interface Wire<L extends Schema = Schema, S extends Schema = Schema> {
  readonly loose: L;
  readonly strict: S;
}

/** What a shape looks like when a peer sent it: unknown fields kept, enums open. */
export type Inbound<W extends Wire> = z.infer<W['loose']>;

/** What a shape looks like when we send it. */
export type Outbound<W extends Wire> = z.infer<W['strict']>;

/** The fields of an object, by name. */
export type Fields = Record<string, Wire>;

export type LooseFields<F extends Fields> = { [K in keyof F]: F[K]['loose'] };
type StrictFields<F extends Fields> = { [K in keyof F]: F[K]['strict'] };

/**
 * A shape whose schemas are built when first used: an agent's start pays only for the messages it meets. A class, because there are
 * hundreds of shapes, and getters of each one's own took half a megabyte of every process.
 */
class LazyWire<L extends Schema, S extends Schema> implements Wire<L, S> {
  readonly #buildLoose: () => L;
  readonly #buildStrict: () => S;
  #loose: L | undefined;
  #strict: S | undefined;

  constructor(buildLoose: () => L, buildStrict: () => S) {
    this.#buildLoose = buildLoose;
    this.#buildStrict = buildStrict;
  }

  get loose(): L {
    this.#loose ??= this.#buildLoose();
    return this.#loose;
  }

  get strict(): S {
    this.#strict ??= this.#buildStrict();
    return this.#strict;
  }
}

export function wire<L extends Schema, S extends Schema>(loose: () => L, strict: () => S): Wire<L, S> {
  return new LazyWire(loose, strict);
}

function leaf<T extends Schema>(build: () => T): Wire<T, T> {
  let schema: T | undefined;
  const once = () => {
    schema ??= build();
    return schema;
  };
  return new LazyWire(once, once);
}

export const text = leaf(() => z.string());
export const number = leaf(() => z.number());
export const flag = leaf(() => z.boolean());
export const anything = leaf(() => z.unknown());
export const anyObject = leaf(objectSchema);

/** Exactly this value. */
export function literal<const V extends string | true>(value: V) {
  return leaf(() => z.literal(value));
}

/** One of these names; a name a newer peer invented still parses. */
export function choice<const V extends readonly string[]>(names: V) {
  return wire(
    () => z.string(),
    () => z.enum(names),
  );
}

/** May be absent. Inbound `null` counts as absent: that is how Python hosts say it. */
export function optional<L extends Schema, S extends Schema>(of: Wire<L, S>) {
  return wire(
    () => z.nullish(of.loose),
    () => z.optional(of.strict),
  );
}

/** We always send it; a peer's message without it still parses, because versions differ. */
export function expected<L extends Schema, S extends Schema>(of: Wire<L, S>) {
  return wire(
    () => z.nullish(of.loose),
    () => of.strict,
  );
}

/** Carries what a peer or a user handed us, so their unknown fields go out again. */
export function echoed<L extends Schema>(of: Wire<L>): Wire<L, L> {
  return wire(
    () => of.loose,
    () => of.loose,
  );
}

export function nullable<L extends Schema, S extends Schema>(of: Wire<L, S>) {
  return wire(
    () => z.nullable(of.loose),
    () => z.nullable(of.strict),
  );
}

export function list<L extends Schema, S extends Schema>(of: Wire<L, S>) {
  return wire(
    () => listSchema(of.loose),
    () => listSchema(of.strict),
  );
}

/** An object whose keys are free and whose values all have one shape. */
export function map<L extends Schema, S extends Schema>(of: Wire<L, S>) {
  return wire(
    () => mapSchema(of.loose),
    () => mapSchema(of.strict),
  );
}

export function either<AL extends Schema, AS extends Schema, BL extends Schema, BS extends Schema>(
  a: Wire<AL, AS>,
  b: Wire<BL, BS>,
) {
  return wire(
    () => z.union([a.loose, b.loose]),
    () => z.union([a.strict, b.strict]),
  );
}

/** An object with these fields: inbound it may have more, outbound it may not. */
export function object<F extends Fields>(fields: F) {
  return wire(
    () => z.looseObject(inForm(fields, 'loose')),
    () => z.strictObject(inForm(fields, 'strict')),
  );
}

/** The fields' schemas in one of their forms. Overloaded because `Object.fromEntries` forgets which key had which value. */
export function inForm<F extends Fields>(fields: F, form: 'loose'): LooseFields<F>;
export function inForm<F extends Fields>(fields: F, form: 'strict'): StrictFields<F>;
export function inForm(fields: Fields, form: 'loose' | 'strict'): Record<string, Schema> {
  return Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, of[form]]));
}
