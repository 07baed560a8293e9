import {
  type ControlPeer,
  ControlRefusal,
  isJsonObject,
  type JsonObject,
  messageOf,
} from '@signalbox/protocol';
import type { AgentSession } from '../conversation/agent-session.ts';
import { readableRules } from '../permission/readable-rules.ts';
import { styleNamed } from '../project/output-styles.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** What a session is made of: a later word would be kept, and change nothing. */
const SETTLED = [
  'hooks',
  'disableAllHooks',
  'allowManagedHooksOnly',
  'allowManagedPermissionRulesOnly',
  'apiKeyHelper',
  'statusLine',
  'sandbox',
  'enableAllProjectMcpServers',
  'enabledMcpjsonServers',
  'disabledMcpjsonServers',
  'allowedMcpServers',
  'deniedMcpServers',
];

/** Let a host change settings of a session that runs. */
export function answerFlagSettings(peer: ControlPeer, session: AgentSession, settings: LiveSettings): void {
  peer.handle('apply_flag_settings', (request) => {
    const changes = flagSettingsIn(request);
    const settled = Object.keys(changes).filter((name) => SETTLED.includes(name));
    if (isJsonObject(changes.permissions) && changes.permissions.disableBypassPermissionsMode !== undefined)
      settled.push('permissions.disableBypassPermissionsMode');
    if (settled.length > 0)
      throw notApplied(`A session that runs cannot change ${settled.join(', ')}: start one with --settings.`);
    apply(changeSettings(settings, changes), session, changes);
  });
}

/** The settings that a host sends. Throws `ControlRefusal`. */
export function flagSettingsIn({ settings }: JsonObject): JsonObject {
  if (isJsonObject(settings)) return settings;
  const kind = settings === null ? 'null' : typeof settings;
  throw new ControlRefusal(`apply_flag_settings requires \`settings\` to be an object, got ${kind}`);
}

/** Take over what a host sends. Throws `ControlRefusal`, and changes nothing then. */
export function changeSettings(settings: LiveSettings, changes: JsonObject): Settings {
  try {
    return settings.change(changes, (next) => flagRules(next, () => {}));
  } catch (error) {
    throw notApplied(messageOf(error));
  }
}

function notApplied(reason: string): ControlRefusal {
  return new ControlRefusal(
    `apply_flag_settings: nothing in this request was applied and earlier settings stay in force. ${reason}`,
  );
}

/** Only what the host names changes: a person may have chosen a model since. */
function apply(settings: Settings, session: AgentSession, changes: JsonObject): void {
  const { core, extensions } = session;
  const onProblem = (message: string): void => core.onProblem({ message });
  if ('permissions' in changes) {
    const { strict, ...rules } = flagRules(settings, onProblem);
    core.permissions.reload('flagSettings', rules);
    core.permissions.load('unreadableRules', strict);
  }
  if ('model' in changes) session.setModel(settings.model);
  if ('effortLevel' in changes) core.effort = settings.effortLevel ?? core.options.effort;
  if ('env' in changes) Object.assign(core.env, settings.env);
  if ('outputStyle' in changes)
    extensions.outputStyle = styleNamed(settings.outputStyle, extensions.outputStyles, onProblem);
}

/** The rules and folders of the flag; none where only those of a policy count. */
function flagRules(settings: Settings, onProblem: (problem: string) => void) {
  const source = settings.permissionSources().find((found) => found.source === 'flagSettings');
  if (!source) return { strict: {} };
  const { file, directories, ...rules } = source;
  return { ...readableRules(file, rules, onProblem), directories };
}
