import type Anthropic from '@anthropic-ai/sdk';
import type { JsonObject } from '@signalbox/protocol';
import * as z from 'zod/mini';
import { assertUnmoved, realPaths } from '../base/real-path.ts';
import { resolvePath } from '../base/resolve-path.ts';
import { ToolInputError } from '../base/tool-failure.ts';
import type { ToolSession } from './tool-session.ts';

/** What a tool says when it is done. */
export interface ToolResult {
  /** What the model reads. */
  content: string | (Anthropic.ToolResultBlockParam['content'] & object);
  isError?: boolean;
  /** The same for programs: `tool_use_result` on the wire. */
  structured?: unknown;
  /** A person wants no more of this turn. */
  endsTurn?: boolean;
}

/** What a tool may use while it runs. */
export interface ToolCallContext {
  readonly session: ToolSession;
  readonly toolUseId: string;
  /** Fires when the turn is interrupted: stop, and leave no process behind. */
  readonly signal: AbortSignal;
  /** The real paths of the call, as they were judged; found out now where nobody judged it. */
  readonly paths?: readonly string[];
}

/** What the code of a tool may use. */
export interface ToolRunContext extends ToolCallContext {
  /** What to act on, in the order of the tool's own `paths`: the files that were judged. */
  readonly paths: readonly string[];
}

/** How a tool is described, with its input as a schema. */
export interface ToolDefinition<Schema extends z.ZodMiniType> {
  readonly name: string;
  /** Other names it is called by. */
  readonly aliases?: readonly string[];
  /** What the model is told. */
  readonly description: string;
  readonly input: Schema;
  /** What of the input the model is told about, where a host fills in the rest. */
  readonly modelInput?: z.ZodMiniType;
  /** Changes nothing: needs no permission inside of the working directories, and may run beside others like it. */
  readonly isReadOnly?: boolean;
  /** Changes files, which the mode `acceptEdits` allows. */
  readonly isEdit?: boolean;
  /** Makes no sense without a person: is asked about in every mode but `dontAsk`. */
  readonly needsPerson?: boolean;
  /** The field that names the one file it is about to touch; a relative path is made absolute before anybody sees it. */
  readonly fileField?: keyof z.infer<Schema> & string;
  /** What fields mean that the model leaves out, for those who are asked about the call. */
  readonly defaults?: Partial<z.infer<Schema>>;
  /** The files it is about to touch, where no field names them; permissions are decided by where they really lead. */
  readonly paths?: (input: z.infer<Schema>) => readonly string[];
  run(input: z.infer<Schema>, context: ToolRunContext): Promise<ToolResult>;
}

/** Something the model can have done. */
export interface Tool {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly isReadOnly: boolean;
  readonly isEdit: boolean;
  readonly needsPerson: boolean;
  /** Where it comes from, if it is not the agent's own: its server, and what that calls it. */
  readonly server?: { readonly name: string; readonly source: string; readonly toolName: string };
  /** The input as JSON Schema, for the model. */
  inputSchema(): JsonObject & { type: 'object' };
  /** The input without what only a person may put into it, and with what the model leaves to be understood. */
  fromModel(input: JsonObject, session: Pick<ToolSession, 'cwd' | 'home'>): JsonObject;
  /** The input with what the model left out, where the tool says what that means. */
  withDefaults?(input: JsonObject): JsonObject;
  paths(input: JsonObject): readonly string[];
  /** Throws what {@link run} would throw anyway, so that nobody is asked about a call that cannot be made. */
  check?(input: JsonObject, context: ToolRunContext): Promise<void>;
  /** Throws {@link ToolInputError} when the input has the wrong shape, and any error to be told to the model. */
  run(input: JsonObject, context: ToolCallContext): Promise<ToolResult>;
}

/** A tool from its definition. Its schema is turned into JSON Schema when a model is first told about it. */
export function defineTool<Schema extends z.ZodMiniType>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, isReadOnly = false, isEdit = false, needsPerson = false } = definition;
  const { fileField } = definition;
  const pathsOf = (input: z.infer<Schema>): readonly string[] =>
    fileField === undefined ? (definition.paths?.(input) ?? []) : [Object(input)[fileField]];
  let schema: (JsonObject & { type: 'object' }) | undefined;
  const parse = <Shape extends z.ZodMiniType>(shape: Shape, input: JsonObject): z.infer<Shape> => {
    const parsed = z.safeParse(shape, input);
    if (!parsed.success) throw new ToolInputError(name, parsed.error.issues.map(problemOf));
    return parsed.data;
  };
  return {
    name,
    ...(definition.aliases ? { aliases: definition.aliases } : {}),
    description,
    isReadOnly,
    isEdit,
    needsPerson,
    inputSchema() {
      schema ??= { ...z.toJSONSchema(definition.modelInput ?? definition.input), type: 'object' };
      return schema;
    },
    fromModel(input, session) {
      const parsed = z.safeParse(definition.modelInput ?? definition.input, input);
      // What has the wrong shape is refused as it is.
      if (!parsed.success) return input;
      const meant = { ...Object(definition.modelInput ? parsed.data : input) };
      if (fileField !== undefined) meant[fileField] = resolvePath(meant[fileField], session);
      return { ...definition.defaults, ...meant };
    },
    withDefaults: (input) => ({ ...definition.defaults, ...input }),
    paths(input) {
      const parsed = z.safeParse(definition.input, input);
      return parsed.success ? pathsOf(parsed.data) : [];
    },
    async check(input, { session, paths }) {
      parse(definition.modelInput ?? definition.input, input);
      if (isEdit) for (const path of paths) await session.files.assertFresh(path);
    },
    async run(input, context) {
      const parsed = parse(definition.input, input);
      const named = pathsOf(parsed);
      const paths = context.paths ?? realPaths(named, context.session.cwd);
      for (const path of paths) assertUnmoved(path);
      const result = await definition.run(parsed, { ...context, paths });
      // What was read is handed over only if it is what was judged.
      if (isReadOnly) for (const path of paths) assertUnmoved(path);
      return result;
    },
  };
}

/** The tool that is called so. */
export function findTool(tools: readonly Tool[], called: string): Tool | undefined {
  return tools.find(({ name, aliases }) => name === called || aliases?.includes(called));
}

function problemOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  return path ? `\`${path}\`: ${issue.message}` : issue.message;
}
