import { type ControlPeer, ControlRefusal, formatRule, type JsonObject } from '@signalbox/protocol';
import type { SessionCore } from '../loop/session-core.ts';
import { modelFacts } from '../model/prices.ts';
import type { BackgroundTask } from '../tasks/task-registry.ts';
import { MODELS } from './models.ts';

/** Answer what a host asks about a session without changing it, and what it asks of background tasks. */
export function answerQuestions(peer: ControlPeer, core: SessionCore): void {
  peer.handle('list_models', () => ({ models: MODELS }));
  peer.handle('get_session_cost', () => ({
    total_cost_usd: core.accounting.costUsd,
    usage: core.accounting.usage,
    modelUsage: core.accounting.modelUsage,
  }));
  peer.handle('list_permission_rules', () => {
    const { allow, deny, ask } = core.permissions.rules;
    return {
      mode: core.permissions.mode,
      allow: allow.map(formatRule),
      deny: deny.map(formatRule),
      ask: ask.map(formatRule),
      additionalDirectories: core.permissions.directories,
    };
  });
  peer.handle('get_context_usage', () => {
    const totalTokens = core.contextTokens;
    const maxTokens = modelFacts(core.modelName).contextWindow;
    return {
      categories: [
        { name: 'Conversation', tokens: totalTokens },
        { name: 'Free space', tokens: Math.max(0, maxTokens - totalTokens) },
      ],
      totalTokens,
      maxTokens,
      percentage: Math.round((100 * totalTokens) / maxTokens),
      model: core.modelName,
    };
  });
  const { tasks } = core.toolSession;
  const find = (request: JsonObject): BackgroundTask => {
    const task = tasks.find(String(request.task_id));
    if (!task) throw new ControlRefusal(`No task found with ID: ${String(request.task_id)}`);
    return task;
  };
  peer.handle('background_tasks', () => ({
    tasks: tasks.all().map((task) => ({
      task_id: task.id,
      type: task.kind,
      status: task.status(),
      description: task.description,
    })),
  }));
  peer.handle('get_task_output', (request) => {
    const task = find(request);
    return { task_id: task.id, status: task.status(), output: task.output() };
  });
  peer.handle('stop_task', async (request) => {
    await find(request).stop();
  });
}

/** No MCP servers so far: there are none to list, and none that could be changed. */
export function answerMcp(peer: ControlPeer): void {
  peer.handle('mcp_status', () => ({ mcpServers: [] }));
  for (const subtype of ['mcp_reconnect', 'mcp_toggle']) {
    peer.handle(subtype, ({ serverName }) => {
      throw new ControlRefusal(`Server not found: ${String(serverName)}`);
    });
  }
  peer.handle('mcp_message', ({ server_name: name }) => {
    throw new ControlRefusal(`Server not found: ${String(name)}`);
  });
  peer.handle('mcp_set_servers', ({ servers }) => {
    const names = typeof servers === 'object' && servers !== null ? Object.keys(servers) : [];
    const errors = Object.fromEntries(names.map((name) => [name, 'MCP servers are not supported so far']));
    return { added: [], removed: [], errors };
  });
}
