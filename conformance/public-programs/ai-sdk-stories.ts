import { fileURLToPath } from 'node:url';
import { check } from '../check.ts';
import { runToEnd } from './run-to-end.ts';
import type { Scene, Story } from './story.ts';

const DRIVER = fileURLToPath(new URL('ai-sdk-driver.ts', import.meta.url));

async function callAll(scene: Scene): Promise<unknown> {
  const { stage, program, agent } = scene;
  await stage.write(stage.path('notes.txt'), 'one\n');
  const entry = program.path('dist/index.js');
  const { code, stdout, stderr } = await runToEnd(scene, 'node', [DRIVER, entry, agent, stage.folder]);
  check(code === 0, `the program ended with ${code}: ${stderr}`);
  check(stdout.includes('"text":"hello"'), `the program got ${stdout}`);
  return JSON.parse(stdout, withoutMeasures);
}

/** Times, and the ids that the provider makes up for the parts of a stream. */
function withoutMeasures(key: string, value: unknown): unknown {
  if (key === 'id') return undefined;
  return /Ms$|timestamp/.test(key) ? typeof value : value;
}

const DIFFERENCES = {
  '.*\\.(raw|rawUsage)\\.(output_tokens_details|server_tool_use|cache_creation|inference_geo|iterations|speed|fallback_credit)':
    '`claude` fills in nothing and zero for what the API did not say',
  '.*\\.modelUsage\\.[^.]+\\.(thinkingTokens|cacheCreationEphemeral\\w+)':
    '`claude` fills in nothing and zero for what the API did not say',
  '.*\\.estimatedThinkingTokens': 'an estimate for each part of a thought; what it came to is in the usage',
  'asks\\.\\d+\\.(result|providerMetadata\\.claude-code\\.rawResult)':
    'what a tool tells the model is in the words of each agent',
  'limited\\.failed\\.(message|data\\.code)':
    'our SDK says which limit was reached, that of 2.3.0 the exit code alone',
};

/** The AI SDK's provider for its versions 5, 6 and 7. */
export const aiSdkStories: readonly Story[] = ['2.3.0', '3.6.0', '4.1.0'].map((version) => ({
  program: { name: 'ai-sdk-provider-claude-code', version },
  name: 'a program generates, streams, resumes, asks, refuses and aborts',
  usesSdk: true,
  differences: DIFFERENCES,
  play: callAll,
}));
