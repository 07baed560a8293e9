// Markdown that agents write, for whoever draws it.

export { MAX_MARKDOWN_LENGTH, markdownTokens } from './markdown-tokens.ts';
