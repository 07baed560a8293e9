import { OptionsError } from '../options-error.ts';

declare const location: { origin: string } | undefined;

/** Where the hub's sockets are; a page knows it by itself. */
export function socketBase(url = typeof location === 'undefined' ? undefined : location.origin): string {
  if (url === undefined)
    throw new OptionsError("Say where the hub is: new HubStream({ url: 'http://127.0.0.1:8765', token }).");
  return url.replace(/^http/, 'ws').replace(/\/+$/, '');
}
