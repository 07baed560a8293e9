import { BROWSER_BEARER } from '@signalbox/protocol/hub';

/** Everything that the page keeps in `localStorage` begins with this, its part of the token included. */
const PREFIX = 'signalbox-';

/** So much of the page's part of the token tells one sign-in from every other, and is no good to sign in with. */
const OWNER_LENGTH = 8;

/** Names the sign-in that things are kept for; undefined when nobody is signed in. */
export function storageOwner(): string | undefined {
  return localStorage.getItem(BROWSER_BEARER)?.slice(0, OWNER_LENGTH);
}

/** Where this sign-in keeps something in `localStorage`; undefined when nobody is signed in. */
export function ownKey(name: string): string | undefined {
  const owner = storageOwner();
  return owner === undefined ? undefined : `${PREFIX}${owner} ${name}`;
}

/** What this sign-in keeps under a name. */
export function readOwn(name: string): string | null {
  const key = ownKey(name);
  return key === undefined ? null : localStorage.getItem(key);
}

/** Keep something; an empty text is kept by removing it. False when the browser has no room. */
export function writeOwn(name: string, text: string): boolean {
  const key = ownKey(name);
  if (key === undefined) return false;
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Remove what other sign-ins left: another person, with other rights, may have used this browser before. */
export function forgetOthers(): void {
  const own = ownKey('');
  forget((key) => own === undefined || !key.startsWith(own));
}

/** Remove everything but the token. */
export function forgetOwn(): void {
  forget(() => true);
  sessionStorage.clear();
}

function forget(isForgotten: (key: string) => boolean): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX) && key !== BROWSER_BEARER && isForgotten(key)) localStorage.removeItem(key);
}
