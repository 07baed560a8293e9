import { type ControlPeer, ControlRefusal, formatRule, type JsonObject } from '@signalbox/protocol';
import { contextUsage } from '../commands/context-usage.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import { DEFAULT_MODEL } from '../model/prices.ts';
import type { BackgroundTask } from '../tasks/task-registry.ts';
import { offeredModels } from './models.ts';

/** Answer what a host asks about a session without changing it, and what it asks of background tasks. */
export function answerQuestions(peer: ControlPeer, { core, thread, extensions }: AgentSession): void {
  peer.handle('list_models', () => ({ models: offeredModels(core.options.model || DEFAULT_MODEL) }));
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
  peer.handle('get_context_usage', () => contextUsage(core, thread, extensions));
  const { tasks } = thread.toolSession;
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
    await find(request).stop('user');
  });
}
