const MAX_LABEL_CHARS = 100;

/** What to call a message in an error: `result message`, `system/init message`. */
export function messageLabel(value: unknown): string {
  const { type, subtype } = nameFields(value);
  if (typeof type !== 'string') return 'message';
  const name = type === 'system' && typeof subtype === 'string' ? `${type}/${subtype}` : type;
  return `${name.slice(0, MAX_LABEL_CHARS)} message`;
}

function nameFields(value: unknown): { type?: unknown; subtype?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}
