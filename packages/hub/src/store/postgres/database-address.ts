import { messageOf } from '@signalbox/protocol';
import { StoreAddressError } from '../store-errors.ts';

/** Where a database is, and who asks. The password is told to the driver, and to nobody else. */
export interface DatabaseAddress {
  /** As it was given: it may hold the password. */
  url: string;
  /** One address for each server that is named, in their order. */
  servers: readonly string[];
  /** Only the server that takes writes is used: of a primary and its standbys, whichever is the primary at the moment. */
  wantsWrites: boolean;
  /** What people are shown. */
  shown: string;
}

/** Scheme with user and password, servers, and the rest of an address. */
const PARTS = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/is;

/** Which of several servers is used; libpq has more words for it. */
const ATTRIBUTES = 'target_session_attrs';

/** Raises `STORE_ADDRESS`, which does not repeat what may be a password. */
export function databaseAddress(text: string): DatabaseAddress {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => urlOf(start === '' ? text : `${start}${host}${rest}`));
  const [url] = urls;
  if (!url) throw new StoreAddressError('it names no server');
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw new StoreAddressError(`it begins with ${url.protocol}//`);
  if (url.pathname.length < 2) throw new StoreAddressError('it names no database');
  const attributes = url.searchParams.get(ATTRIBUTES) ?? 'any';
  if (!['any', 'read-write', 'primary'].includes(attributes))
    throw new StoreAddressError(`${ATTRIBUTES} is any, read-write or primary`);
  const host = url.searchParams.get('host') ?? urls.map((one) => one.host).join(',');
  const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}@`;
  for (const one of urls) one.searchParams.delete(ATTRIBUTES);
  return {
    url: text,
    servers: urls.map(String),
    wantsWrites: attributes !== 'any',
    shown: `postgres://${user}${host}${url.pathname}`,
  };
}

function urlOf(text: string): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new StoreAddressError(messageOf(error) === '' ? '' : 'it is no URL');
  }
}
