import { readFileSync } from 'node:fs';
import { startTestHub } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

const DASHBOARD = new URL('../../../../docs/deploy/grafana-dashboard.json', import.meta.url);

describe('the sample dashboard', () => {
  it('[AP2014] shows figures that the hub has', async () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
    const shown = JSON.stringify(panels).match(/signalbox_\w+/g) ?? [];
    const { hub, token } = await startTestHub();
    const metrics = await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const known = Array.from((await metrics.text()).matchAll(/^# TYPE (\w+)/gm), ([, name]) => name);
    expect(new Set(shown).size).toBeGreaterThan(5);
    expect(known).toEqual(expect.arrayContaining([...new Set(shown)]));
  });
});
