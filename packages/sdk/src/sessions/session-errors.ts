import { SignalboxError } from '@signalbox/protocol';

/** There is no such session where it was looked for. */
export class SessionNotFoundError extends SignalboxError {
  constructor(sessionId: string, where: string) {
    super(
      'SESSION_NOT_FOUND',
      `Session ${sessionId} not found in ${where}. listSessions() says what there is.`,
    );
  }
}

/** The session has no such message. */
export class SessionMessageNotFoundError extends SignalboxError {
  constructor(sessionId: string, messageId: string) {
    super(
      'SESSION_MESSAGE_NOT_FOUND',
      `Message ${messageId} not found in session ${sessionId}. getSessionMessages() has the uuids.`,
    );
  }
}

/** A key would lead out of the folder of the store. */
export class SessionKeyError extends SignalboxError {
  constructor(part: string) {
    super(
      'SESSION_KEY_INVALID',
      `"${part}" cannot be part of a session's path. Use a project key, a UUID and a subpath without "..".`,
    );
  }
}

/** The store did not answer in time. */
export class SessionStoreTimeoutError extends SignalboxError {
  constructor(method: string, timeoutMs: number) {
    super(
      'SESSION_STORE_TIMEOUT',
      `The session store has not answered ${method}() within ${timeoutMs} ms. Check what it waits for.`,
    );
  }
}

/** The store cannot do what was asked for. */
export class SessionStoreError extends SignalboxError {
  constructor(method: string) {
    super('SESSION_STORE_INCOMPLETE', `This session store has no ${method}(), which this call needs.`);
  }
}
