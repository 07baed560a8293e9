// A module of our own around it: a bundler gives a CommonJS package that is loaded late no named exports.
export { parseDocument } from 'yaml';
