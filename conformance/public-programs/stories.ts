import type { Program } from '../program.ts';
import type { Part } from '../scenario.ts';
import { editorStories } from './acp-story.ts';
import { acpxStory } from './acpx-story.ts';
import { aiSdkStories } from './ai-sdk-stories.ts';
import { cloudcliStory } from './cloudcli-story.ts';
import { mcpStory } from './mcp-story.ts';
import { promptfooStory } from './promptfoo-story.ts';
import { routerStory } from './router-story.ts';
import { notesOn, type Story, storyScenarios } from './story.ts';
import { transcriptStories } from './transcript-stories.ts';

/** What people do with the programs, one after the other. */
export const stories: readonly Story[] = [
  ...editorStories,
  ...aiSdkStories,
  acpxStory,
  routerStory,
  mcpStory,
  promptfooStory,
  cloudcliStory,
  ...transcriptStories,
];

/** Programs that people run with `claude`, with ours in its place. */
export function publicPrograms(references: readonly Program[]): Part {
  const reference = references.find(({ id }) => id === '2.1.325');
  if (!reference) throw new Error('claude 2.1.325 is not among the references');
  return {
    title: 'Public programs',
    scenarios: storyScenarios(stories, reference),
    notes: notesOn(stories),
  };
}
