/** Where commands find the way out, on the sandbox's own loopback: nothing else is there when it starts. */
const PORT = 46128;

/** Runs inside: a command, and beside it a port that leads to the proxy's socket. Both end together. */
const SOURCE = `
const { connect, createServer } = require('node:net');
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const [socket, port, program, ...args] = process.argv.slice(1);
createServer((near) => {
  const far = connect(socket);
  near.on('error', () => far.destroy()).on('close', () => far.destroy());
  far.on('error', () => near.destroy()).on('close', () => near.destroy());
  near.pipe(far).pipe(near);
}).listen(Number(port), '127.0.0.1', () => {
  spawn(program, args, { stdio: 'inherit' })
    .on('error', () => process.exit(127))
    .on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});`;

/** The same command, with a way out. */
export function withForwarder(socket: string, command: readonly string[]): string[] {
  return [process.execPath, '-e', SOURCE, '--', socket, String(PORT), ...command];
}

/** What tells programs about the way out. */
export function proxyVariables(): Record<string, string> {
  const proxy = `http://127.0.0.1:${PORT}`;
  const near = 'localhost,127.0.0.1,::1';
  return {
    http_proxy: proxy,
    https_proxy: proxy,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    no_proxy: near,
    NO_PROXY: near,
    NODE_USE_ENV_PROXY: '1',
  };
}
