import { GIB, KIB, type Limit, MIB } from './limit.ts';

/** The record of sessions: what is stored, searched, imported and given out. */
export const RECORD_LIMITS = {
  storeQueueBytes: {
    most: 256 * MIB,
    unit: 'bytes',
    code: 'STORE_BUSY',
    what: 'what waits to be stored',
    told: 'the caller; a client by a 503, an agent is read no further',
  },
  searchWordsLength: {
    most: 1000,
    unit: 'characters',
    code: 'REQUEST_INVALID',
    what: 'the words of a search',
    told: 'the client, by a 400',
  },
  searchWords: {
    most: 32,
    unit: 'items',
    code: 'STORE_ARGUMENT',
    what: 'different words of a search, those in quotes included; 4 of them may end with a *',
    told: 'the client, by a 400',
  },
  searchedLength: {
    most: 16 * KIB,
    unit: 'characters',
    code: 'STORE_LIMIT',
    what: 'what is searched of one entry of the record',
    told: 'nobody: the record has the rest, and a search does not find it',
  },
  outlineParts: {
    most: 400,
    unit: 'items',
    code: 'STORE_LIMIT',
    what: 'parts of the outline of a record',
    told: 'nobody: several turns are one part then',
  },
  outlineWordsLength: {
    most: 120,
    unit: 'characters',
    code: 'STORE_LIMIT',
    what: 'the words of a prompt in an outline',
    told: 'whoever reads it, by three dots',
  },
  importBytes: {
    most: 16 * GIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'a session that is imported',
    told: 'the client, by a 413',
  },
  importLineBytes: {
    most: 160 * MIB,
    unit: 'bytes',
    code: 'LINE_TOO_LONG',
    what: 'one line of a session that is imported: a line of the record, which quotes may double',
    told: 'the client, by a 413',
  },
  storedTranscriptBytes: {
    most: 256 * MIB,
    unit: 'bytes',
    code: 'TRANSCRIPT_TOO_LONG',
    what: 'a transcript of an agent that is read when its conversation goes to a terminal, or comes back',
    told: 'whoever moves it, by a 413; on the way back the record, which says that it was not read',
  },
  transcriptOutlineBytes: {
    most: 256 * MIB,
    unit: 'bytes',
    code: 'TRANSCRIPT_TOO_LONG',
    what: 'what is kept in memory of such a transcript while it is read; one is read at a time',
    told: 'whoever moves it, by a 413; on the way back the record, which says that it was not read',
  },
  transcriptLineValues: {
    most: 500_000,
    unit: 'items',
    code: 'TRANSCRIPT_TOO_LONG',
    what: 'the values, names and commas of one line of such a transcript',
    told: 'nobody: the line is left out, as one that is damaged is',
  },
  transcriptBytes: {
    most: 64 * MIB,
    unit: 'bytes',
    code: 'BODY_TOO_LONG',
    what: 'a conversation that is given out as a transcript',
    told: 'the client, by a 413',
  },
} as const satisfies Record<string, Limit>;
