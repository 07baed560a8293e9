import { writeFileSync } from 'node:fs';
import { spawnTransport } from '@signalbox/transport';
import { createFileHistory, runChat } from '../src/index.ts';

// Runs a chat in the terminal that it is started in: `chat-launcher <folder> <agent command …>`.
const [folder = '', command = '', ...args] = process.argv.slice(2);
const { PATH, ANTHROPIC_BASE_URL, CHAT_PROMPT: initialPrompt } = process.env;
const transport = await spawnTransport({
  command,
  args,
  cwd: folder,
  env: { PATH, HOME: folder, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY: 'scripted' },
});
writeFileSync(`${folder}/.pid`, String(process.pid));
const code = await runChat({
  transport,
  cwd: folder,
  title: 'chat under test',
  history: createFileHistory(`${folder}/.history`),
  ...(initialPrompt ? { initialPrompt } : {}),
});
writeFileSync(`${folder}/.code`, String(code));
process.stdout.write(`left with ${code}\n`);
process.exit(code);
