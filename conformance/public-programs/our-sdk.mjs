// Loaded with `node --import`: whoever imports the official SDK gets ours, as it is published, under the same names.
import { register } from 'node:module';

const OFFICIAL = '@anthropic-ai/claude-agent-sdk';
const OURS = new URL('../../dist/npm/signalbox/index.js', import.meta.url).href;

const hooks = `
export function resolve(specifier, context, next) {
  const isOfficial = specifier === '${OFFICIAL}' || specifier.startsWith('${OFFICIAL}/');
  if (!isOfficial) return next(specifier, context);
  return next(specifier.replace('${OFFICIAL}', 'signalbox'), { ...context, parentURL: '${OURS}' });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
