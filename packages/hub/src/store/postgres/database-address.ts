import { messageOf } from '@signalbox/protocol';
import { StoreAddressError } from '../store-errors.ts';

/** Where a database is, and who asks. The password is told to the driver, and to nobody else. */
export interface DatabaseAddress {
  /** As it was given: it may hold the password. */
  url: string;
  /** What people are shown. */
  shown: string;
}

/** Raises `STORE_ADDRESS`, which does not repeat what may be a password. */
export function databaseAddress(text: string): DatabaseAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw new StoreAddressError(messageOf(error) === '' ? '' : 'it is no URL');
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw new StoreAddressError(`it begins with ${url.protocol}//`);
  if (url.pathname.length < 2) throw new StoreAddressError('it names no database');
  const host = url.searchParams.get('host') ?? url.host;
  const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}@`;
  return { url: text, shown: `postgres://${user}${host}${url.pathname}` };
}
