import { SignalboxError } from '@signalbox/protocol';

/** There is nothing to connect to at this path. */
export class NoSuchDoorError extends SignalboxError {
  constructor() {
    super(
      'DOOR_NOT_FOUND',
      'Agents dial /, /ws/<session> or /agent/<session>, hosts /api/sessions/<session>/wire, frontends /ws, viewers /api/stream.',
    );
  }
}
