import { basename } from 'node:path';
import { BUILT_IN_OUTPUT_STYLES } from './built-in-output-styles.ts';
import { findMarkdown } from './find-files.ts';
import { readMarkdown } from './front-matter.ts';
import { type OnProblem, orProblem } from './project-file-error.ts';
import {
  type FileSource,
  type ProjectPlace,
  projectFolders,
  type SourceFolder,
  userFolders,
} from './project-place.ts';

/** A way to talk, as part of the system prompt. */
export interface OutputStyle {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  /** Whether the built-in instructions for coding stay. */
  readonly keepsCodingInstructions: boolean;
  readonly source: FileSource | 'built-in';
}

/** All output styles by name. The project's come before the person's, and these before the built-in ones. */
export async function loadOutputStyles(place: ProjectPlace): Promise<OutputStyle[]> {
  const folders = [...projectFolders(place, 'output-styles'), ...userFolders(place, 'output-styles')];
  const loaded = await Promise.all(folders.map((folder) => outputStylesIn(folder, place.onProblem)));
  const styles = new Map(BUILT_IN_OUTPUT_STYLES.map((style) => [style.name, style]));
  for (const style of loaded.flat().toReversed()) styles.set(style.name, style);
  return [...styles.values()];
}

/** The output styles in a folder. */
export async function outputStylesIn(folder: SourceFolder, onProblem: OnProblem): Promise<OutputStyle[]> {
  const styles: OutputStyle[] = [];
  for (const path of await findMarkdown(folder, onProblem)) {
    const style = await orProblem(onProblem, async () => {
      const { fields, body } = await readMarkdown(path);
      return {
        name: fields.text('name') ?? basename(path, '.md'),
        description: fields.text('description') ?? '',
        prompt: body.trim(),
        keepsCodingInstructions: fields.flag('keep-coding-instructions') ?? false,
        source: folder.source,
      };
    });
    if (style) styles.push(style);
  }
  return styles;
}
