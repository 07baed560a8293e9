/** A promise that is kept from elsewhere; `Promise.withResolvers` is newer than Node 20. */
export function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
