import { isUrl } from '@signalbox/protocol';
import type { McpConfig } from './mcp-config.ts';

/** Shorter values are words like `1` or `debug`, and would make texts unreadable. */
const MIN_SECRET_CHARS = 6;

/** What must not be repeated of a configuration: the values of headers and variables, and tokens in its URL. */
export function secretsOf(config: McpConfig): string[] {
  const values = config.type === 'stdio' ? Object.values(config.env) : [];
  if (config.type === 'http' || config.type === 'sse') {
    values.push(...Object.values(config.headers));
    if (isUrl(config.url)) {
      const { password, searchParams } = new URL(config.url);
      values.push(password, ...searchParams.values());
    }
  }
  return values
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((value) => value.length >= MIN_SECRET_CHARS)
    .toSorted((a, b) => b.length - a.length);
}

/** A text without the secrets in it. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((result, secret) => result.replaceAll(secret, '***'), text);
}

/** What of a configuration may be shown: no headers, no variables, no tokens. */
export function publicConfig(config: McpConfig): Record<string, unknown> | undefined {
  switch (config.type) {
    case 'stdio':
      return { type: config.type, command: config.command, args: [...config.args] };
    case 'sse':
    case 'http':
      return { type: config.type, url: publicUrl(config.url) };
    case 'sdk':
      return undefined;
  }
}

function publicUrl(text: string): string {
  // With a variable in it, it may be no URL so far.
  if (!isUrl(text)) return text.replace(/\?.*/s, '').replace(/\/\/[^/]*@/, '//');
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
