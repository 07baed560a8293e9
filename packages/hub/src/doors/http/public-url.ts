/** Where people find a hub that programs of its machine find at `local`: by its first name, where it has one. */
export function publicUrl(
  { names = [], behindProxy = false }: { names?: readonly string[]; behindProxy?: boolean },
  local: string,
): string {
  const [name] = names;
  if (name === undefined) return local;
  // A proxy has a port of its own: 443, unless the name has another one.
  if (behindProxy) return new URL(`https://${name}`).origin;
  const url = new URL(local);
  url.host = name;
  return url.origin;
}
