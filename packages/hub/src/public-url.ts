/** Where people find a hub that programs of its machine find at `local`: by its first name, where it has one. */
export function publicUrl(
  { names = [], behindProxy = false }: { names?: readonly string[]; behindProxy?: boolean },
  local: string,
): string {
  const [name] = names;
  if (name === undefined) return local;
  // Whatever encrypts in front of a hub has a port of its own, and that is the usual one.
  if (behindProxy) return `https://${name}`;
  const url = new URL(local);
  url.hostname = name;
  return url.origin;
}
