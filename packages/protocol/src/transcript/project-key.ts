/** A project's folder name is cut here; a hash of the whole path keeps it apart from its neighbours. */
const PROJECT_KEY_LIMIT = 200;

/** The name of a working directory's folder among the projects. */
export function projectKey(path: string): string {
  const key = plainProjectKey(path);
  if (key.length <= PROJECT_KEY_LIMIT) return key;
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0;
  return `${key.slice(0, PROJECT_KEY_LIMIT)}-${Math.abs(hash).toString(36)}`;
}

/** The same as old versions of claude make it: never cut. */
export function plainProjectKey(path: string): string {
  return path.replaceAll(/[^a-zA-Z0-9]/g, '-');
}
