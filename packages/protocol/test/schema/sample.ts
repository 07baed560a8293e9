/** A whole message that we could send, and the fields without which nobody can read it. */
export interface Sample<M> {
  readonly message: M;
  readonly essential: readonly string[];
}

export const ids = { uuid: 'u-1', session_id: 's-1' };

export function sample<M>(message: M, ...essential: string[]): Sample<M> {
  return { message, essential: ['type', ...essential] };
}

export function request<R>(body: R, ...essential: string[]) {
  const message = { type: 'control_request' as const, request_id: 'r', request: body };
  return sample(
    message,
    'request_id',
    'request',
    'request.subtype',
    ...essential.map((name) => `request.${name}`),
  );
}
