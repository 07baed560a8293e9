/** What could be read from a line that is not JSON. */
export interface RawLineFacts {
  readonly sessionId?: string;
  readonly isInit: boolean;
}

// Every repetition has an upper bound, so that no line, however long, costs more than linear time.
const SESSION_FIELD = /session_?id["'\\\s=:]{1,16}([\w.-]{8,128})(?![\w.-])/i;
const SESSION_WORD = /\bsession["'\\\s=:]{1,16}([\w.-]{8,128})(?![\w.-])/i;
const INIT = /\[(?:system\/)?init\]|\bsubtype["'\\\s=:]{1,16}init\b/i;

/** The session and the kind of a line whose framing broke: enough to tell whose it was. */
export function recoverFromRawLine(text: string): RawLineFacts {
  const sessionId = (SESSION_FIELD.exec(text) ?? SESSION_WORD.exec(text))?.[1];
  const isInit = INIT.test(text);
  return sessionId === undefined ? { isInit } : { sessionId, isInit };
}
