import { runAgent } from '@signalbox/agent';

// An open stdin would keep a process alive whose work is done.
process.exit(await runAgent(process.argv.slice(2)));
