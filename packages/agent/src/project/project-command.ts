import { basename, dirname, relative, sep } from 'node:path';
import { headOf } from '../base/cut-text.ts';
import type { MarkdownFile } from './front-matter.ts';
import { fillPaths } from './placeholders.ts';
import type { FileSource } from './project-location.ts';

/** A longer description is cut: the model is shown all of them, all the time. */
export const MAX_DESCRIPTION_CHARS = 1536;

/** The plugin that a file belongs to. */
export interface PluginIdentity {
  readonly name: string;
  readonly root: string;
}

/** A prompt that is kept in a file and asked for by its name: a custom command, or a skill. */
export interface ProjectCommand {
  readonly kind: 'command' | 'skill';
  readonly name: string;
  /** Another name that leads here, unless something else has it. */
  readonly alias: string | undefined;
  readonly description: string;
  /** When the model should think of it. */
  readonly whenToUse: string | undefined;
  readonly argumentHint: string | undefined;
  /** Names for its arguments, in their order. */
  readonly argumentNames: readonly string[];
  /** Rules for what needs no permission while it is followed. */
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly model: string | undefined;
  readonly modelMayInvoke: boolean;
  readonly userMayInvoke: boolean;
  readonly body: string;
  readonly path: string;
  readonly source: FileSource;
  readonly plugin: PluginIdentity | undefined;
}

/** What a file's place says about it. */
export type CommandOrigin = Pick<ProjectCommand, 'kind' | 'source' | 'plugin'> & {
  readonly name: string;
  readonly cwd: string;
  /** Whether it may say what needs no permission. */
  readonly isTrusted: boolean;
};

/** A command from its file. Throws `ProjectFileError` when a field is not what it has to be. */
export function commandOf({ path, fields, body }: MarkdownFile, origin: CommandOrigin): ProjectCommand {
  const { kind, source, plugin, cwd, isTrusted } = origin;
  const scoped = (name: string): string =>
    plugin && !name.startsWith(`${plugin.name}:`) ? `${plugin.name}:${name}` : name;
  const given = kind === 'skill' ? fields.text('name') : undefined;
  const name = scoped(origin.name);
  const alias = given === undefined || scoped(given) === name ? undefined : scoped(given);
  const rules = (field: string): string[] =>
    (fields.list(field) ?? []).map((rule) => fillPaths(rule, { kind, path, plugin }, cwd));
  return {
    kind,
    name,
    alias,
    description: headOf(fields.text('description') ?? firstLine(body), MAX_DESCRIPTION_CHARS),
    whenToUse: fields.text('when_to_use'),
    argumentHint: hintOf(fields.get('argument-hint')),
    argumentNames: fields.list('arguments') ?? [],
    allowedTools: isTrusted ? rules('allowed-tools') : [],
    disallowedTools: rules('disallowed-tools'),
    model: fields.text('model'),
    modelMayInvoke: !(fields.flag('disable-model-invocation') ?? false),
    userMayInvoke: fields.flag('user-invocable') ?? true,
    body,
    path,
    source,
    plugin,
  };
}

/** The name of a command file: the folders it lies in and its own name, with colons between. */
export function commandName(folder: string, path: string): string {
  const within = relative(folder, dirname(path));
  return [...(within ? within.split(sep) : []), basename(path, '.md')].join(':');
}

/** The text of a heading or a paragraph, for want of a description. */
function firstLine(body: string): string {
  const line = body.split('\n').find((text) => text.trim() !== '') ?? '';
  return line.replace(/^#+\s+/, '').trim();
}

/** `[file]` is a list to YAML, and a hint to its author. */
function hintOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
