import { describe, expect, it } from 'vitest';
import { apiPages, storedPages } from '../../../../scripts/api-reference.js';

describe('docs/api', () => {
  it('[SD172] is what the source says; `node scripts/api-reference.js` makes it so', () => {
    const made = apiPages();
    const stored = storedPages();
    expect([...stored.keys()].toSorted()).toEqual([...made.keys()].toSorted());
    for (const [name, text] of made) expect(stored.get(name), `docs/api/${name} is out of date`).toBe(text);
    expect(made.get('conversations.md')).toContain('## query');
    expect(made.get('browser.md')).toContain('class DirectConnect {');
  });
});
