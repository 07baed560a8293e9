import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Where people find code to copy. */
const DOCUMENTS = ['README.md', 'docs/SDK.md', 'docs/SCENARIOS.md', 'packages/sdk/README.md'];

const CODE = /^```ts\n(.*?)^```$/gms;

/** A piece of TypeScript as a document shows it. */
export interface CodeSample {
  /** The document, and the line that the code begins at. */
  readonly place: string;
  readonly text: string;
  /** The name of the file that it is written to, without an ending. */
  readonly name: string;
}

/** All code of all documents. */
export async function codeSamples(): Promise<CodeSample[]> {
  const samples = await Promise.all(
    DOCUMENTS.map(async (path) => {
      const document = await readFile(join(root, path), 'utf8');
      return [...document.matchAll(CODE)].map(({ 1: text = '', index }) => {
        const line = document.slice(0, index).split('\n').length + 1;
        return { place: `${path}:${line}`, text, name: `${path.replaceAll(/\W/g, '-')}-${line}` };
      });
    }),
  );
  return samples.flat();
}

/** Write each to a file of a folder, as somebody would who copies it. */
export async function writeSamples(samples: readonly CodeSample[], folder: string): Promise<void> {
  // A file without an import would share its names with the others.
  await Promise.all(
    samples.map(({ name, text }) => writeFile(join(folder, `${name}.ts`), `${text}\nexport {};\n`)),
  );
}
