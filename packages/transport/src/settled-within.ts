/** Wait for a promise, but no longer than this; says whether it settled in time. */
export async function settledWithin(done: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([done.then(() => true), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
