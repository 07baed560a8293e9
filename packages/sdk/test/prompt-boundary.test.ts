import { startScriptedModel } from '@signalbox/model';
import { INSTALL_TIMEOUT_MS, referenceCli, referenceEnv } from '@signalbox/testing/reference-cli';
import { expect, it, onTestFinished } from 'vitest';
import { OUR_AGENT } from '../../../conformance/program.ts';
import { collectText, query, SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '../src/index.ts';
import { temporaryFolder } from './sessions/stored-session.ts';

it.each(['claude', 'signalbox-agent'])(
  '[SD664] the mark in a system prompt reaches no model: %s',
  {
    timeout: INSTALL_TIMEOUT_MS,
  },
  async (name) => {
    const cwd = await temporaryFolder();
    const model = await startScriptedModel({ scenario: 'puppet' });
    onTestFinished(() => model.close());
    const options = {
      pathToClaudeCodeExecutable: name === 'claude' ? await referenceCli('2.1.325') : OUR_AGENT,
      cwd,
      env: referenceEnv(cwd, model.url),
      systemPrompt: ['You are a signalman.', SYSTEM_PROMPT_DYNAMIC_BOUNDARY, 'Today is a holiday.'],
    };
    expect(await collectText(query({ prompt: 'say hello', options }))).toBe('hello');
    const asked = JSON.stringify(model.requests.at(-1)?.body);
    expect(asked).toMatch(/signalman[^]*holiday/);
    expect(asked).not.toContain(SYSTEM_PROMPT_DYNAMIC_BOUNDARY);
  },
);
