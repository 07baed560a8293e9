/**
 * An element of a `systemPrompt` that is a list. What comes before it is the same in every session, so that the model's
 * cache can hold it for all of them; what follows belongs to this one.
 */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__';
