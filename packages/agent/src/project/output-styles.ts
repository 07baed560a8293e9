import { basename } from 'node:path';
import { BUILT_IN_OUTPUT_STYLES, DEFAULT_OUTPUT_STYLE } from './built-in-output-styles.ts';
import { findMarkdown } from './find-files.ts';
import { readMarkdown } from './front-matter.ts';
import { type OnProblem, orProblem } from './project-file-error.ts';
import {
  type FileSource,
  type ProjectLocation,
  projectFolders,
  type SourceFolder,
  userFolders,
} from './project-location.ts';

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
export async function loadOutputStyles(location: ProjectLocation): Promise<OutputStyle[]> {
  const folders = [...projectFolders(location, 'output-styles'), ...userFolders(location, 'output-styles')];
  const loaded = await Promise.all(folders.map((folder) => outputStylesIn(folder, location.onProblem)));
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

/** The style of this name. One that is not there is told, and the default is used. */
export function styleNamed(
  name: string | undefined,
  styles: readonly OutputStyle[],
  onProblem: (text: string) => void,
): OutputStyle {
  const style = styles.find((known) => known.name.toLowerCase() === name?.toLowerCase());
  if (name !== undefined && !style) {
    const names = styles.map((known) => known.name).join(', ');
    onProblem(`There is no output style "${name}"; there are ${names}. The default is used.`);
  }
  // Hosts show the name that somebody chose, as they chose it.
  return { ...(style ?? DEFAULT_OUTPUT_STYLE), ...(name === undefined ? {} : { name }) };
}
