import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type HubProcess, SIGNALBOX } from '@signalbox/testing/hub/hub-process';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it } from 'vitest';
import { NodeStage } from './node-stage.ts';

interface Finding {
  name: string;
  state: string;
  says: string;
  advice?: string;
}

async function doctorAt({ home }: HubProcess): Promise<Finding | undefined> {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, SIGNALBOX_HOME: home };
  const run = promisify(execFile)(process.execPath, [SIGNALBOX, 'doctor', '--json'], { env });
  // Whatever else is wrong with this machine.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const findings: Finding[] = JSON.parse(stdout);
  return findings.find(({ name }) => name === 'nodes');
}

describe.runIf(HAS_POSTGRES)('nodes are seen', () => {
  it('[NO3798][CL3799] who leads since when, lease, connections and weeks: in `/metrics`, by `GET /api/nodes` and by the doctor of any node, which names one that is gone', async () => {
    const stage = await NodeStage.open(2);
    const [first, second] = stage.nodes;
    if (!first || !second) throw new Error('no nodes');
    const agent = await TestAgent.dial(`${second.url}/ws/s`, second.token);
    await agent.play('hello');
    const ask = async (path: string) => (await call(second.url, second.token, 'GET', path)).body;
    await until(async () => (await ask('/api/nodes')).database.partitions.length === 1);
    const { items, lead, database } = await ask('/api/nodes');
    expect(items.filter(({ leads }: { leads: boolean }) => leads)).toHaveLength(1);
    const { id, machine } = items.find(({ leads }: { leads: boolean }) => leads);
    expect(id.startsWith(`${machine}-`)).toBe(true);
    expect(Math.abs(Date.now() - lead.since)).toBeLessThan(600_000);
    expect(database.connections).toBeGreaterThanOrEqual(4);
    const figures: string = await ask('/metrics');
    expect(figures).toContain(`signalbox_node_leads{node="${id}"} 1`);
    for (const name of [
      'lease_age_seconds',
      'lead_since_seconds',
      'database_connections',
      'recording_seconds_total',
    ])
      expect(figures).toMatch(new RegExp(`^signalbox_${name} [0-9.e-]+$`, 'm'));
    expect(figures).toMatch(/^signalbox_node_seen_seconds\{node="[^"]+"\} [0-9.]+$/m);
    expect(figures).toMatch(/^signalbox_partition_bytes\{week="\d{4}-\d\d-\d\d"\} [1-9]\d+$/m);
    const well = await doctorAt(second);
    expect(well).toMatchObject({ state: 'ok', says: expect.stringContaining(`${id} leads since `) });
    await second.kill();
    const [{ id: gone }] = items.filter(({ leads }: { leads: boolean }) => !leads);
    const found = await until(async () => {
      const finding = await doctorAt(first);
      return finding?.state === 'warn' ? finding : undefined;
    });
    expect(found.says).toContain(`${gone}, on the machine ${machine}, was last heard of`);
  });

  it('[NO3798] a hub on SQLite has no nodes', async () => {
    const { hub, token } = await startTestHub();
    const { body } = await call(hub.url, token, 'GET', '/api/nodes');
    expect(body).toEqual({ items: [], lead: null, database: null });
    expect((await call(hub.url, token, 'GET', '/metrics')).body).not.toContain('signalbox_node');
  });
});
