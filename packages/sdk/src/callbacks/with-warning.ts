import { type ControlHandler, messageOf } from '@signalbox/protocol';

/**
 * The handler, and a warning when a callback of the program throws: the agent alone hears of it otherwise, and most go on as if
 * there were no such callback.
 */
export function withWarning(name: string, handler: ControlHandler): ControlHandler {
  return async (request, context) => {
    try {
      return await handler(request, context);
    } catch (error) {
      if (!context.signal.aborted)
        process.emitWarning(`${name} failed: ${messageOf(error)}`, {
          code: 'CALLBACK_FAILED',
          ...(error instanceof Error && error.stack !== undefined ? { detail: error.stack } : {}),
        });
      throw error;
    }
  };
}
