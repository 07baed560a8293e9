// @ts-check
// The least that any host does: start an agent, say the two lines that it waits for, cut what comes into lines, parse
// them and hand them over. No control protocol, no backpressure, no errors.
import { spawn } from 'node:child_process';

/** @param {{ options: { pathToClaudeCodeExecutable: string, env: NodeJS.ProcessEnv } }} call */
export async function* query({ options: { pathToClaudeCodeExecutable: command, env } }) {
  const child = spawn(command, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end('{"type":"control_request","request_id":"1"}\n{"type":"user"}\n');
  let rest = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.type !== 'control_response') yield message;
    }
  }
}
