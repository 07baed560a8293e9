import { readFileSync } from 'node:fs';

/** The lines of a fixture: `##` starts a heading, `␤` and its like stand for the character that they picture. */
export function fixtureLines(name: string): readonly string[] {
  return readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('## '))
    .map((line) => line.replaceAll('␤', '\n').replace(/[\u2400-\u2420]/g, unpicture));
}

function unpicture(picture: string): string {
  return String.fromCharCode(picture.charCodeAt(0) - 0x2400);
}
