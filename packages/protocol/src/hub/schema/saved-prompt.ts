import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { time } from './values.ts';

export const savedPromptName = z
  .string()
  .min(1)
  .max(80)
  .regex(
    /^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u,
    'the name of a saved prompt is one line, without space around it',
  );

export const newSavedPrompt = z.strictObject({
  name: savedPromptName,
  text: z.string().min(1).max(LIMITS.savedPromptLength.most),
});

export const savedPrompt = z.object({ name: z.string(), text: z.string(), updatedAt: time });

/** A prompt that people use again, kept under a name. */
export type SavedPrompt = z.infer<typeof savedPrompt>;
