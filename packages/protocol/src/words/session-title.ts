import type { Session } from '../hub/schema/session.ts';

/** What a session is called where nobody has given it a title. */
export function sessionTitle({ title, folder, id }: Pick<Session, 'title' | 'folder' | 'id'>): string {
  return title || folder?.split('/').findLast(Boolean) || id;
}
