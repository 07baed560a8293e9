// @ts-check
// A program that uses an SDK, in a process of its own: `node sdk-host.mjs <entry of the SDK> <agent> <what it says>`.
// Prints what each step took, in milliseconds.
const [, , entry = '', agent = '', said = ''] = process.argv;

/** @param {NodeJS.CpuUsage} since */
function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const begin = performance.now();
const { query } = await import(entry);
const imported = performance.now();
const options = {
  pathToClaudeCodeExecutable: agent,
  settingSources: [],
  env: { PATH: process.env.PATH, HOME: process.env.HOME, SAID: said },
};
let first = 0;
let cpuAtFirst = process.cpuUsage();
for await (const { type } of query({ prompt: 'go', options })) {
  if (first === 0) {
    first = performance.now();
    cpuAtFirst = process.cpuUsage();
  }
  if (type !== 'result') continue;
  const streamMs = performance.now() - first;
  const streamCpuMs = cpuMs(cpuAtFirst);
  console.log(
    JSON.stringify({ importMs: imported - begin, firstMs: first - imported, streamMs, streamCpuMs }),
  );
}
