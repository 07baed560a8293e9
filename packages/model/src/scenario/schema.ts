import * as z from 'zod';
import { unknownPlaceholders } from './placeholders.ts';

const MAX_DELAY_MS = 600_000;
const milliseconds = z.int().min(0).max(MAX_DELAY_MS);
const count = z.int().min(0);

function isRegExp({ matches, flags }: { matches: string; flags?: string | undefined }): boolean {
  try {
    return Boolean(new RegExp(matches, flags));
  } catch {
    return false;
  }
}

const textMatcher = z.union([
  z.string(),
  z.strictObject({ equals: z.string() }),
  z.strictObject({ contains: z.string() }),
  z
    .strictObject({
      matches: z.string(),
      flags: z
        .string()
        .regex(/^[imsu]*$/, 'expected some of the flags i, m, s and u')
        .optional(),
    })
    .refine(isRegExp, { message: 'expected a valid regular expression', path: ['matches'] }),
]);

const conditions = z.strictObject({
  user: textMatcher.optional(),
  tool_result: z
    .strictObject({
      tool: z.string().optional(),
      text: textMatcher.optional(),
      is_error: z.boolean().optional(),
    })
    .optional(),
  system: textMatcher.optional(),
  model: textMatcher.optional(),
  tools: z.array(z.string()).optional(),
  turn: count.optional(),
});

const when = z.union([z.literal('any'), conditions]);

const first = z.int().min(1).optional();
const after = count.default(0);

/** A fault to play: what fails, after how many events, and for how many requests. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    message: z.string().optional(),
    retry_after_s: z.number().min(0).optional(),
    first,
  }),
  z.strictObject({ kind: z.literal('cut'), after, first }),
  z.strictObject({ kind: z.literal('malformed'), after, first }),
  z.strictObject({
    kind: z.literal('error'),
    after,
    error_type: z.string().default('overloaded_error'),
    message: z.string().default('Overloaded'),
    first,
  }),
  z.strictObject({ kind: z.literal('stall'), after, ms: milliseconds.optional(), first }),
  z.strictObject({ kind: z.literal('slow'), token_delay_ms: milliseconds, first }),
]);

const textStep = z.strictObject({ text: z.string() });
const thinkingStep = z.strictObject({ thinking: z.string(), signature: z.string().optional() });
const toolStep = z.strictObject({
  tool: z.string().min(1),
  input: z.union([z.string(), z.record(z.string(), z.unknown())]).default({}),
  id: z.string().optional(),
});
const blockStep = z.strictObject({ block: z.looseObject({ type: z.string() }) });
const delayStep = z.strictObject({ delay_ms: milliseconds });
const faultStep = z.strictObject({ fault: faultSchema });

const step = z.union([z.string(), textStep, thinkingStep, toolStep, blockStep, delayStep, faultStep]);

const usage = z.strictObject({
  input_tokens: count.optional(),
  cache_creation_input_tokens: count.optional(),
  cache_read_input_tokens: count.optional(),
  output_tokens: count.optional(),
  cache_creation: z
    .strictObject({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
    .optional(),
  server_tool_use: z.strictObject({ web_search_requests: count, web_fetch_requests: count }).optional(),
  output_tokens_details: z.strictObject({ thinking_tokens: count }).optional(),
});

export const STOP_REASONS = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
] as const;

const reply = z.strictObject({
  say: z.array(step),
  stop_reason: z.enum(STOP_REASONS).optional(),
  usage: usage.optional(),
  token_delay_ms: milliseconds.optional(),
});

const background = reply.extend({ name: z.string().optional(), when });
const turn = reply.extend({
  name: z.string().optional(),
  when: when.default('any'),
  times: z.int().min(1).optional(),
});

/** The parts of a step whose placeholders are filled in. */
function templatesIn(said: z.output<typeof step>): unknown {
  return typeof said === 'object' && ('block' in said || 'fault' in said) ? undefined : said;
}

/** A scenario as it is written in a file. */
export const scenarioSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1),
    description: z.string().optional(),
    order: z.enum(['first-match', 'strict']).default('first-match'),
    templates: z.boolean().default(true),
    token_delay_ms: milliseconds.optional(),
    turns: z.array(turn),
    fallback: reply.optional(),
    background: z.array(background).default([]),
    builtin_background: z.boolean().default(true),
  })
  .superRefine((scenario, context) => {
    if (!scenario.templates) return;
    const replies = [
      ...scenario.turns.map((one, i) => ({ one, path: ['turns', i] })),
      ...scenario.background.map((one, i) => ({ one, path: ['background', i] })),
      ...(scenario.fallback ? [{ one: scenario.fallback, path: ['fallback'] }] : []),
    ];
    for (const { one, path } of replies) {
      for (const [i, said] of one.say.entries()) {
        const condition = 'when' in one ? one.when : undefined;
        for (const message of unknownPlaceholders(templatesIn(said), condition)) {
          context.addIssue({ code: 'custom', path: [...path, 'say', i], message });
        }
      }
    }
  });

/** Every key a scenario can have, wherever it goes: what a misspelt one is compared with. */
export const SCENARIO_KEYS: readonly string[] = [
  scenarioSchema,
  turn,
  conditions,
  usage,
  ...step.options.flatMap((option) => ('shape' in option ? [option] : [])),
  ...faultSchema.options,
]
  .flatMap((schema) => Object.keys(schema.shape))
  .concat('equals', 'contains', 'matches', 'flags', 'is_error');

/** A scenario as written: defaults may be left out. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
/** A checked scenario, with its defaults filled in. */
export type Scenario = z.output<typeof scenarioSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type Fault = z.output<typeof faultSchema>;
export type Turn = z.output<typeof turn>;
export type Reply = z.output<typeof reply>;
export type Step = z.output<typeof step>;
export type TextMatcher = z.output<typeof textMatcher>;
export type When = z.output<typeof when>;
