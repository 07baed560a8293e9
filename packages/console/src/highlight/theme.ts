import type { ThemeRegistration } from '@shikijs/primitive';

/** What code is coloured by: the page's own colours, by what something is (`style/code.css`). The values name a class. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  '#000001': ['comment', 'punctuation.definition.comment', 'string.comment'],
  '#000002': ['keyword', 'storage', 'keyword.operator.new', 'markup.heading', 'entity.name.section'],
  '#000003': [
    'string',
    'punctuation.definition.string',
    'constant.character.escape',
    'markup.inserted',
    'markup.inline.raw',
  ],
  '#000004': ['constant', 'constant.numeric', 'constant.language', 'support.constant', 'markup.changed'],
  '#000005': ['entity.name.function', 'support.function', 'meta.function-call.generic'],
  '#000006': [
    'entity.name.type',
    'entity.name.class',
    'support.type',
    'support.class',
    'entity.other.inherited-class',
  ],
  '#000007': [
    'entity.name.tag',
    'entity.other.attribute-name',
    'support.type.property-name',
    'variable.other.property',
    'meta.object-literal.key',
  ],
  '#000008': ['keyword.operator', 'punctuation', 'meta.brace'],
  '#000009': ['markup.deleted', 'invalid'],
};

/** A class for each colour of the theme, in their order. */
const CLASSES = [
  '',
  'comment',
  'keyword',
  'string',
  'constant',
  'function',
  'type',
  'name',
  'mark',
  'deleted',
];

export const THEME = {
  name: 'signalbox',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: Object.entries(SCOPES).map(([foreground, scope]) => ({
    scope: [...scope],
    settings: { foreground },
  })),
} as const satisfies ThemeRegistration;

/** The class of a colour of the theme; empty for what has the colour of the text. */
export function classOf(color: string): string {
  return CLASSES[Number.parseInt(color.slice(1), 16)] ?? '';
}
