import { type ScenarioInput, type ScriptedModel, startScriptedModel } from '@signalbox/model';
import { onTestFinished } from 'vitest';
import { ReplyReader } from '../../src/loop/read-reply.ts';
import { ModelClient } from '../../src/model/model-client.ts';
import type { ToolSession } from '../../src/tools/tool-session.ts';

const UNHEARD = { onEvent: async () => {}, onBlock: async () => {} };

/** A scripted model that answers side questions. It is closed after the test. */
export async function sideModel(
  scenario: string | ScenarioInput = 'puppet',
): Promise<{ model: ScriptedModel; askModel: NonNullable<ToolSession['askModel']> }> {
  const model = await startScriptedModel({ scenario });
  onTestFinished(() => model.close());
  const client = new ModelClient({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'scripted' });
  return {
    model,
    askModel: ({ system, prompt, serverTools = [], isSmall }, signal) =>
      new ReplyReader(UNHEARD).read(
        client.stream(
          {
            model: isSmall ? 'small' : 'large',
            max_tokens: 1000,
            system,
            messages: [{ role: 'user', content: prompt }],
            tools: [...serverTools],
          },
          signal,
        ),
      ),
  };
}
