import type { TrustSetup } from '@signalbox/hub';

/** How a hub asks and notes which folders its person trusts; loaded when somebody wants to know. */
export const FOLDER_TRUST: TrustSetup = {
  list: async () => (await load()).trustedFolders(),
  look: async (folder, env) => (await load()).folderTrust(folder, { ...process.env, ...env }),
  trust: async (folder) => (await load()).trustFolder(folder),
  distrust: async (folder) => (await load()).distrustFolder(folder),
};

function load() {
  return import('@signalbox/agent/folder-trust');
}
