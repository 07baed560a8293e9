import type { Exchange } from './exchange.ts';

/** Of those that a request passed, the proxy in front of the hub has added the last; the others anybody may have made up. */
export function addressOf({ header, address }: Exchange, isProxied: boolean): string {
  const forwarded = isProxied ? header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded ?? address;
}
