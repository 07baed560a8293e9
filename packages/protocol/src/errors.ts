/** Every local failure of Signalbox: a stable `code` to branch on (docs/ERRORS.md) and a message that says what to do. */
export class SignalboxError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The text of anything that was thrown. Never throws itself, whatever it is given. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'an error without a text';
  }
}
