/** A UUID, as `crypto.randomUUID` makes it. */
export type UUID = `${string}-${string}-${string}-${string}-${string}`;

/** What every message of an agent carries. */
export interface Envelope {
  uuid: UUID;
  session_id: string;
}
