/** The page's own script, whose name changes with every version. */
const SCRIPT = /src="(\/assets\/index-[^"]+\.js)"/;

/** Whether a hub serves another page than the one with this script. */
export function isOtherPage(html: string, ownScript: string): boolean {
  const [, script] = SCRIPT.exec(html) ?? [];
  // What is no page of a hub, such as the sign-in of a proxy, says nothing.
  return script !== undefined && script !== ownScript;
}
