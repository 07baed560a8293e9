import type { ScenarioInput } from '@signalbox/model';
import { puppet } from '../../packages/model/src/scenario/puppet.ts';

/** The model that both agents use: what they take for their default is not the same. */
export const MODEL = 'claude-sonnet-5-5';

/**
 * Agents send prompts of different lengths; the counts that programs show must not depend on that. Nothing is written
 * to the cache.
 */
const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_read_input_tokens: 30,
  cache_creation_input_tokens: 0,
};

const NOTHING = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

type When = ScenarioInput['turns'][number]['when'];

/** Some programs send a conversation as one text, with the speaker's name before each part. */
function afterRole(when: When): When {
  return JSON.parse(JSON.stringify(when ?? 'any').replaceAll('"matches":"^', '"matches":"^(?:Human: )?'));
}

/** The puppet with the same counts for every answer, and without a tool's words to the model in its own. */
export const script: ScenarioInput = {
  ...puppet,
  turns: puppet.turns.map((turn) => ({
    ...turn,
    when: afterRole(turn.when),
    usage: USAGE,
    ...(turn.name === 'done' && { say: ['done'] }),
  })),
  // What an agent asks beside the conversation, for a title and the like, comes at any time.
  builtin_background: false,
  fallback: { ...puppet.fallback, say: puppet.fallback?.say ?? [], usage: NOTHING },
};
