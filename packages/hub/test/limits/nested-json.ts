/** JSON that nests `levels` deep. */
export function nested(levels: number): string {
  return '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
}

/** A question of an agent about a tool call with this input, as a line. */
export function questionLine(requestId: string, input: string): string {
  const request = `{"subtype":"can_use_tool","tool_name":"Bash","input":${input},"tool_use_id":"t"}`;
  return `{"type":"control_request","request_id":"${requestId}","request":${request}}`;
}
