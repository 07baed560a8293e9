import { debugLog, startDebugLog } from '../src/base/debug-log.ts';

// Started by a test: says something on stderr, as an agent with --debug does.
startDebugLog({ filter: 'api', env: process.env });
debugLog('api')(() => `asked with ${process.env.ANTHROPIC_API_KEY}`);
debugLog('hooks')(() => 'not wanted');
