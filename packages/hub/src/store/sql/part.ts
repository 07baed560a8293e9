import type { Steps } from './statement.ts';

/** What a part of the store does, done at once: the same methods without their promises. */
export type Immediate<Part> = {
  [Name in keyof Part]: Part[Name] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Result
    : never;
};

/** What a part of the store does, query by query. */
export type InSteps<Part> = {
  [Name in keyof Part]: Part[Name] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Steps<Result>
    : never;
};

/** What the work of a method comes to. */
export type ResultOf<Method> = Method extends (...values: never[]) => Steps<infer Result> ? Result : never;
