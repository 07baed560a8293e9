/** What was looked at, how it is, and what to do about it. */
export interface Finding {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  says: string;
  advice?: string;
}

export function ok(name: string, says: string): Finding {
  return { name, state: 'ok', says };
}

/** Something works less well than it could. */
export function warn(name: string, says: string, advice: string): Finding {
  return { name, state: 'warn', says, advice };
}

/** Something will not work. */
export function fail(name: string, says: string, advice: string): Finding {
  return { name, state: 'fail', says, advice };
}
