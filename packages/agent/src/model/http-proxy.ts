import { request as httpRequest } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { timeLimit } from '@signalbox/protocol';

/** The proxy for an address, from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. This machine is always reached directly. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const isSecure = url.protocol === 'https:';
  const proxy = isSecure ? (env.https_proxy ?? env.HTTPS_PROXY) : (env.http_proxy ?? env.HTTP_PROXY);
  if (!proxy || isLoopback(url) || isExempt(url, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** An entry is a name, which stands for its sub-domains, too, with or without a port; `*` is all. */
function isExempt({ hostname, port }: URL, entries: string): boolean {
  return entries.split(',').some((entry) => {
    const [, name = '', at = port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
    if (name === '*') return true;
    return name !== '' && `.${hostname}`.endsWith(`.${name}`) && at === port;
  });
}

/** A connection to an address through a proxy. `connectMs` is how long the proxy may take for it. */
export async function openTunnel(
  proxy: URL,
  url: URL,
  { connectMs, signal }: { connectMs: number; signal: AbortSignal },
): Promise<Socket> {
  const isSecure = url.protocol === 'https:';
  const authority = `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`;
  const socket = await tunnelled(proxy, authority, AbortSignal.any([signal, timeLimit(connectMs)]));
  if (!isSecure) return socket;
  const { connect } = await import('node:tls');
  return connect({ socket, host: url.hostname, servername: isIP(url.hostname) ? '' : url.hostname });
}

async function tunnelled(proxy: URL, authority: string, signal: AbortSignal): Promise<Socket> {
  const request = proxy.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request(proxy.origin, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      agent: false,
      signal,
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy ${proxy.host} answered ${statusCode}`));
    });
    asked.once('error', (cause) =>
      reject(new Error(`No connection through the proxy ${proxy.host}`, { cause })),
    );
    asked.end();
  });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}
