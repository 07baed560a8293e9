import { isJsonObject, messageOf, parseJson } from '@signalbox/protocol';
import { spawnTransport } from '@signalbox/transport/stdio';
import { childEnvironment } from '../base/child-environment.ts';
import type { McpRemoteConfig } from './mcp-config.ts';
import { McpServerFailedError } from './mcp-errors.ts';

/** How long the command may take. */
const HELPER_TIMEOUT_MS = 10_000;

/** The most that the command may print. */
const MAX_HELPER_CHARS = 64 * 1024;

/** The configuration with the headers that its `headersHelper` prints; these win. */
export async function withHelpedHeaders(
  config: McpRemoteConfig,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<McpRemoteConfig> {
  if (config.headersHelper === undefined) return config;
  try {
    const printed: unknown = parseJson(await outputOf(config.headersHelper, options));
    if (!isJsonObject(printed) || Object.values(printed).some((value) => typeof value !== 'string'))
      throw new Error('it must print a JSON object of texts');
    const headers = Object.entries(printed).map(([name, value]) => [name, String(value)]);
    return { ...config, headers: { ...config.headers, ...Object.fromEntries(headers) } };
  } catch (error) {
    // What was printed may hold a token: only the parser's words without it are repeated.
    const why = error instanceof SyntaxError ? 'it must print a JSON object of texts' : messageOf(error);
    throw new McpServerFailedError(`its headersHelper failed: ${why}`);
  }
}

async function outputOf(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = await spawnTransport({
    command: '/bin/sh',
    args: ['-c', command],
    cwd,
    env: childEnvironment(env),
    graceMs: { afterEndOfInput: HELPER_TIMEOUT_MS, afterSigterm: 500 },
  });
  // Closing waits for the end of the command, for as long as it may take, and then ends it.
  const closed = child.close();
  const lines: string[] = [];
  let chars = 0;
  try {
    for await (const line of child.receive()) {
      chars += line.text().length;
      if (chars > MAX_HELPER_CHARS) throw new Error(`it printed more than ${MAX_HELPER_CHARS} characters`);
      lines.push(line.text());
    }
  } finally {
    if (chars > MAX_HELPER_CHARS) child.kill('SIGKILL');
    await closed;
  }
  const { code, signal } = await child.exited;
  if (code !== 0) throw new Error(signal ? `it was ended by ${signal}` : `it ended with code ${code}`);
  return lines.join('\n');
}
