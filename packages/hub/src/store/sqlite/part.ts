/** What a part of the store does, done at once: the same methods without their promises. */
export type Immediate<Part> = {
  [Name in keyof Part]: Part[Name] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Result
    : never;
};
