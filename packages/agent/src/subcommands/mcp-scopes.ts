import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { UsageError } from '../base/agent-errors.ts';
import { writeAtomically } from '../base/write-atomically.ts';
import { noteForPerson, noteProject, projectStates, trustFile } from '../settings/project-state.ts';
import { repositoryRoot } from '../settings/repository-root.ts';
import { readSettings, SettingsError } from '../settings/settings-file.ts';
import type { StartContext } from '../start/start-context.ts';

/** Where a server is configured; the later, the nearer: of one name, the nearest counts. */
export const SCOPES = ['user', 'project', 'local'] as const;
export type Scope = (typeof SCOPES)[number];

/** Where a scope's servers are shared, in the words of `claude`. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  user: 'User config (available in all your projects)',
  project: 'Project config (shared via .mcp.json)',
  local: 'Local config (private to you in this project)',
};

/** The scope that was named. */
export function scopeNamed(name: string): Scope {
  const scope = SCOPES.find((known) => known === name);
  if (scope === undefined)
    throw new UsageError(`Invalid scope: ${name}. Must be one of: local, user, project`);
  return scope;
}

/** The servers of one scope, as they are written in the files that `claude` uses. */
export class ScopedServers {
  readonly scope: Scope;
  readonly #context: StartContext;

  constructor(scope: Scope, context: StartContext) {
    this.scope = scope;
    this.#context = context;
  }

  /** The file, and which part of it, for people. */
  get where(): string {
    if (this.scope === 'project') return this.#projectFile;
    const file = trustFile(this.#context);
    return this.scope === 'user' ? file : `${file} [project: ${this.#key}]`;
  }

  /** Throws `SettingsError` when the file cannot be read. */
  all(): JsonObject {
    const { mcpServers = {} } = this.#holder();
    if (isJsonObject(mcpServers)) return mcpServers;
    throw new SettingsError(this.where, '"mcpServers" is not an object');
  }

  has(name: string): boolean {
    return Object.hasOwn(this.all(), name);
  }

  /** Replace all of them; what else is in the file stays. */
  async write(mcpServers: JsonObject): Promise<void> {
    if (this.scope === 'user') return noteForPerson(this.#context, { mcpServers });
    if (this.scope === 'local') return noteProject(this.#context, this.#key, { mcpServers });
    const content = JSON.stringify({ ...this.#holder(), mcpServers }, null, 2);
    await writeAtomically(realPath(this.#projectFile), content);
  }

  #holder(): JsonObject {
    if (this.scope === 'project') return readSettings(this.#projectFile);
    if (this.scope === 'user') return readSettings(trustFile(this.#context));
    const states = projectStates(this.#context);
    const project = Object.hasOwn(states, this.#key) ? states[this.#key] : {};
    return isJsonObject(project) ? project : {};
  }

  get #projectFile(): string {
    return join(this.#context.cwd, '.mcp.json');
  }

  get #key(): string {
    return repositoryRoot(this.#context.cwd);
  }
}
