import { SignalboxError } from '@signalbox/protocol';

/** The policy of the machine does not let a server be used. */
export class McpPolicyError extends SignalboxError {
  constructor() {
    super('MCP_NOT_ALLOWED', 'the policy of this machine does not allow it');
  }
}

/** An MCP configuration that cannot be used; the message names the place and the field. */
export class McpConfigError extends SignalboxError {
  constructor(place: string, problem: string, cause?: unknown) {
    super('MCP_CONFIG_INVALID', `${place}: ${problem}. Mend it or leave it out.`, { cause });
  }
}

/** There is no MCP server of that name. */
export class McpServerNotFoundError extends SignalboxError {
  constructor(name: string) {
    super('MCP_SERVER_NOT_FOUND', `Server not found: ${name}`);
  }
}

/** An MCP server cannot be used: it did not start, did not answer, or was lost. */
export class McpServerFailedError extends SignalboxError {
  constructor(message: string, cause?: unknown) {
    super('MCP_SERVER_FAILED', message, { cause });
  }
}

/** An MCP server wants to know who is asking. */
export class McpNeedsAuthError extends SignalboxError {
  constructor() {
    super(
      'MCP_NEEDS_AUTH',
      'the server wants a sign-in (HTTP 401). Put a valid token into its "headers", or a command that prints one as "headersHelper".',
    );
  }
}

/** An MCP server lists or sends more than is taken from one. */
export class McpLimitError extends SignalboxError {
  constructor(what: string, limit: string) {
    super('MCP_LIMIT', `${what}; ${limit} is the limit. What is beyond it is not used.`);
  }
}
