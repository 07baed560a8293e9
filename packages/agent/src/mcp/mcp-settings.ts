import { MAX_OUTPUT_TOKENS } from './mcp-content.ts';

/** How long a server may take to be ready. */
const CONNECT_TIMEOUT_MS = 30_000;

/** How long a tool may take: more than a day, because people are there to stop it. */
const TOOL_TIMEOUT_MS = 100_000_000;

/** The longest time that a timer can wait for. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** `MCP_TIMEOUT`, in milliseconds. */
export function connectTimeoutMs({ MCP_TIMEOUT: text }: NodeJS.ProcessEnv): number {
  return Math.min(positive(text) ?? CONNECT_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

/** `MCP_TOOL_TIMEOUT`, in milliseconds. */
export function toolTimeoutMs({ MCP_TOOL_TIMEOUT: text }: NodeJS.ProcessEnv): number {
  return Math.min(positive(text) ?? TOOL_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

/** `MAX_MCP_OUTPUT_TOKENS`. */
export function maxOutputTokens({ MAX_MCP_OUTPUT_TOKENS: text }: NodeJS.ProcessEnv): number {
  return positive(text) ?? MAX_OUTPUT_TOKENS;
}

function positive(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10);
  return number > 0 ? number : undefined;
}
