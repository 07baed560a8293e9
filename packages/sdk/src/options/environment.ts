import type { Options } from '../types/options.ts';
import { SDK_VERSION } from '../version.ts';

/** The environment of an agent: what the caller gave, and who is calling. */
export function agentEnvironment(options: Options): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _ours, ...given } = options.env ?? process.env;
  const { previewFormat } = options.toolConfig?.askUserQuestion ?? {};
  return {
    ...given,
    CLAUDE_CODE_ENTRYPOINT: given['CLAUDE_CODE_ENTRYPOINT'] ?? 'sdk-ts',
    CLAUDE_AGENT_SDK_VERSION: SDK_VERSION,
    CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
    ...(options.enableFileCheckpointing ? { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' } : {}),
    ...(previewFormat ? { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: previewFormat } : {}),
  };
}
