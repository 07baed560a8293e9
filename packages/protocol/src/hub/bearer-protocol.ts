/** What a page and its server agree to speak. */
export const LINE_PROTOCOL = 'signalbox';

/** Where a page keeps its part of the token of its browser: in the storage of its origin, which knows ports. */
export const BROWSER_BEARER = 'signalbox-bearer';

const BEARER = 'bearer.';

/** A page cannot set headers, and a token in an address ends up in logs: it travels as a subprotocol that nobody chooses. */
export function protocolsFor(token: string | undefined): string[] {
  return token === undefined ? [] : [LINE_PROTOCOL, BEARER + toBase64Url(token)];
}

/** The token in the `sec-websocket-protocol` header of an upgrade request. */
export function bearerFromProtocols(header: string | undefined): string | undefined {
  const offered = (header ?? '').split(',').map((name) => name.trim());
  const bearer = offered.find((name) => name.startsWith(BEARER));
  return bearer === undefined ? undefined : fromBase64Url(bearer.slice(BEARER.length));
}

/** A subprotocol is made of fewer characters than a token may be. */
function toBase64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): string | undefined {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
