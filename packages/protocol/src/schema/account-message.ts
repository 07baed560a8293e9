import { envelope } from './envelope.ts';
import { choice, expected, flag, list, literal, number, object, optional, text } from './wire.ts';

/** News of the account an agent runs on. */
export const accountMessages = {
  auth_status: object({
    type: literal('auth_status'),
    isAuthenticating: flag,
    output: expected(list(text)),
    error: optional(text),
    ...envelope,
  }),
  rate_limit_event: object({
    type: literal('rate_limit_event'),
    rate_limit_info: object({
      status: choice(['allowed', 'allowed_warning', 'rejected']),
      resetsAt: optional(number),
      rateLimitType: optional(text),
      utilization: optional(number),
      overageStatus: optional(text),
      overageResetsAt: optional(number),
      isUsingOverage: optional(flag),
    }),
    ...envelope,
  }),
};
