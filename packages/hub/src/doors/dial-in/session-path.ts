import { isSessionId } from '../../store/session.ts';

/** The session that a path names in the first group of `pattern`; undefined when it names none. */
export function sessionIn(pattern: RegExp, path: string): string | undefined {
  const name = pattern.exec(path)?.[1];
  try {
    const id = name === undefined ? undefined : decodeURIComponent(name);
    return id !== undefined && isSessionId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
