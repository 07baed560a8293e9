import { messageOf } from '@signalbox/protocol';
import { $ZodError } from 'zod/v4/core';

/** The library's code for a request that was not answered in time. */
const REQUEST_TIMEOUT = -32_001;

/** What went wrong with a request, as the rest of a sentence that begins with the server. */
export function explainFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof $ZodError) return 'answered in a form that the protocol does not know.';
  const message = messageOf(error);
  const isLate = error instanceof Error && 'code' in error && error.code === REQUEST_TIMEOUT;
  if (isLate && message.includes('timed out'))
    return `did not answer within ${timeoutMs} ms (MCP_TOOL_TIMEOUT).`;
  return `says: ${message.replace(/^MCP error -?\d+: /, '')}`;
}
