import { isUnspecified } from '../../auth/host-guard.ts';

/** Where bridges of the same machine dial a hub that listens here. */
export function dialAddress(host: string, port: number, isSecure: boolean): string {
  const target = isUnspecified(host) ? '127.0.0.1' : host;
  return `${isSecure ? 'wss' : 'ws'}://${target.includes(':') ? `[${target}]` : target}:${port}`;
}
