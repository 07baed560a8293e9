import type { JsonObject } from '@signalbox/protocol';
import type { Program } from '../program.ts';
import type { Part } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { ACCEPTED_FIELDS } from '../wire-fields/accepted-fields.ts';
import { compareFields } from '../wire-fields/compare-fields.ts';
import { playFieldStory } from '../wire-fields/field-story.ts';

const STORY_LIMIT_MS = 120_000;

/** What each wire says, field by field, in one story that has a bit of everything. */
export function wireFields(references: readonly Program[]): Part {
  const reference = references.find(({ id }) => id === '2.1.325');
  if (!reference) throw new Error('claude 2.1.325 is not among the references');
  let played: Promise<JsonObject[]> | undefined;
  const theirs = (): Promise<JsonObject[]> => (played ??= playOn(reference));
  const { lacking, added } = ACCEPTED_FIELDS;
  return {
    title: 'Fields of the wire',
    scenarios: [
      {
        name: 'every field of 2.1.325 is there, or its absence has a reason',
        programs: ['ours', '2.1.325'],
        limitMs: STORY_LIMIT_MS,
        async play(stage) {
          if (stage.program.id === '2.1.325') await theirs();
          else compareFields(await theirs(), await playFieldStory(stage), ACCEPTED_FIELDS);
        },
      },
    ],
    notes: [...new Set([...Object.values(lacking), ...Object.values(added)])],
  };
}

async function playOn(program: Program): Promise<JsonObject[]> {
  const stage = await Stage.set(program);
  try {
    return await playFieldStory(stage);
  } finally {
    await stage.clear();
  }
}
