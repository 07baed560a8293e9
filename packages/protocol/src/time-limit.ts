/**
 * Fires after so many milliseconds, and keeps no process alive. `AbortSignal.timeout` of Node 20 is forgotten when garbage is
 * collected while only an `AbortSignal.any` listens to it: what it should have ended waits for ever.
 */
export function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort(new DOMException(`It took longer than ${ms} ms.`, 'TimeoutError'));
  // In a browser a timer is a number, and keeps nothing alive.
  const timer: unknown = setTimeout(end, ms);
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref();
  return controller.signal;
}
