import * as z from 'zod';
import { RequestInvalidError } from '../../base/request-errors.ts';

/** The value as the schema has it. Raises `REQUEST_INVALID`. */
export function checked<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const outcome = z.safeParse(schema, value);
  if (outcome.success) return outcome.data;
  const [issue] = outcome.error.issues;
  const place = issue?.path.length ? `${what}, at ${issue.path.join('.')}` : what;
  throw new RequestInvalidError(`${place}: ${issue?.message ?? 'invalid'}`);
}
