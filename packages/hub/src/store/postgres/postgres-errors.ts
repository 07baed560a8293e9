import { messageOf } from '@signalbox/protocol';
import {
  StoreError,
  StoreFailedError,
  StoreFullError,
  StoreReadOnlyError,
  StoreRefusedError,
  StoreUnreachableError,
} from '../store-errors.ts';
import { NOT_LEADING } from './schema.ts';

/** Classes and codes of PostgreSQL (appendix A of its manual) that mean that it is going away, or not there yet. */
const GONE = [
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  '08000',
  '08003',
  '08006',
  '08001',
  '08004',
  '53300',
];

/** What a login is refused with: the user, the password, the database. */
const REFUSED = ['28000', '28P01', '3D000', '42501'];

const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What the driver says of a connection that has ended under it. */
const ENDED =
  /connection terminated|connection error|not queryable|timeout expired|read timeout|client was closed/i;

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether the database may be back soon, and what was asked may be asked again. */
export function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return GONE.includes(code) || SYSTEM.has(code) || (error instanceof Error && ENDED.test(error.message));
}

/** The lease of this node has ended, or another one leads. */
export function isNotLeading(error: unknown): boolean {
  return codeOf(error) === NOT_LEADING;
}

/** Two nodes have waited for each other, and this one had to let go: it may try again. */
export function isDeadlock(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error));
}

/** The database, or the server, takes no writes. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** What a failure means to the caller. `shown` is the address without its password. */
export function storeErrorFor(error: unknown, shown: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  if (isGone(error)) return new StoreUnreachableError(`${shown} (${messageOf(error)})`);
  if (REFUSED.includes(code)) return new StoreRefusedError(`${shown} (${messageOf(error)})`);
  if (isReadOnly(error)) return new StoreReadOnlyError(shown);
  if (code === '53100') return new StoreFullError(shown);
  return new StoreFailedError(messageOf(error));
}
