import { isJsonObject, type JsonObject } from '../json-fields.ts';
/** The part of a control request that says what is asked. */
export type ControlRequestBody = JsonObject & { subtype: string };

/** A control request as it travels. */
export interface ControlRequest {
  type: 'control_request';
  request_id: string;
  request: ControlRequestBody;
}

/** What a handler knows beside the request itself. */
export interface ControlHandlerContext {
  requestId: string;
  /**
   * Fires when the other side cancels the request or the channel closes: nobody waits for the answer any more.
   * A handler that goes on all the same keeps its place among the requests in work.
   */
  signal: AbortSignal;
}

/** Answers one kind of request. What it throws becomes an error answer. */
export type ControlHandler = (
  request: ControlRequestBody,
  context: ControlHandlerContext,
) => JsonObject | undefined | void | Promise<JsonObject | undefined | void>;

export function isControlRequestBody(value: unknown): value is ControlRequestBody {
  return isJsonObject(value) && typeof value.subtype === 'string';
}
