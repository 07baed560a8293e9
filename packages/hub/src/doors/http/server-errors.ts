import { SignalboxError } from '@signalbox/protocol';

/** The hub was to be reachable from other machines without protection. */
export class OpenBindError extends SignalboxError {
  constructor(host: string) {
    super(
      'HUB_BIND_REFUSED',
      `${host} can be reached from other machines, and tokens would travel in the clear. ` +
        'Give --cert and --key, or --behind-proxy when something in front of the hub does the encryption.',
    );
  }
}

/** There is no built console in the folder that was named. */
export class ConsoleNotFoundError extends SignalboxError {
  constructor(folder: string, cause?: unknown) {
    super('CONSOLE_NOT_FOUND', `There is no console in ${folder}. Build it, or start the hub without one.`, {
      cause,
    });
  }
}

/** The address cannot be listened on. */
export class HubNotStartedError extends SignalboxError {
  readonly isPortInUse: boolean;

  constructor(where: string, cause: NodeJS.ErrnoException) {
    const isInUse = cause.code === 'EADDRINUSE';
    const isPath = where.startsWith('/');
    const inUse = isPath ? 'something else is there; move it away' : 'the port is in use; choose another';
    super('HUB_NOT_STARTED', `The hub cannot listen on ${where}: ${isInUse ? inUse : cause.message}.`, {
      cause,
    });
    this.isPortInUse = isInUse && !isPath;
  }
}

/** The hub listens already, and is still taking up what an earlier one has stored. */
export class HubStartingError extends SignalboxError {
  constructor() {
    super('HUB_STARTING', 'The hub is starting. Ask again in a moment.');
  }
}
