export const audit = {
  title: 'Audit',
  find: 'Find',
  findHint: 'allow, a person, a device, a session …',
  count: (found: number, all: number) => `${found} of the latest ${all}`,
  nothing: 'Nothing was decided yet.',
  decisions: 'Decisions',
  older: 'Older',
  /** What the hub calls it. */
  what: (name: string): string => name,
  /** What it was about, and why, where these are words of the hub. */
  subject: (subject: string): string => subject,
  why: (why: string): string => why,
  session: (id: string) => `session ${id}`,
};
