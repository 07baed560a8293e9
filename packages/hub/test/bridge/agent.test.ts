import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBridge, temporaryFolder } from './run-bridge.ts';
import { TestHub } from './test-hub.ts';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));

describe('signalbox-agent behind a bridge', () => {
  it('[BR30] answers prompts through a hub that dies in between, each once', async () => {
    const model = await startScriptedModel({ scenario: 'puppet' });
    onTestFinished(() => model.close());
    let hub = await TestHub.start();
    const home = temporaryFolder();
    const bridge = runBridge({
      hub: hub.url,
      home,
      command: [
        process.execPath,
        AGENT,
        '-p',
        '--input-format',
        'stream-json',
        '--output-format',
        'stream-json',
        '--verbose',
      ],
      env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'scripted' },
    });
    for (const word of ['first', 'second']) {
      const prompt = {
        type: 'user',
        uuid: crypto.randomUUID(),
        message: { role: 'user', content: `say ${word}` },
        parent_tool_use_id: null,
        session_id: '',
      };
      await hub.send('s', JSON.stringify(prompt));
      await until(() => resultsIn(hub).includes(word));
      await hub.die();
      hub = await hub.restart();
    }
    await hub.order('s', { type: 'bridge', subtype: 'end_input' });
    expect(await bridge.exited).toEqual({ code: 0, signal: null });
    expect(resultsIn(hub)).toEqual(['first', 'second']);
    expect(hub.sessions.get('s')?.gaps).toEqual([]);
  });
});

function resultsIn(hub: TestHub): string[] {
  return hub
    .saidIn('s')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'result')
    .map(({ result }) => result);
}
