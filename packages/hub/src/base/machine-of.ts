/** What is added to the name of a machine in the name of a node. */
const OWN = /-[0-9a-f]{6}$/;

/** The machine that a node was first started on. */
export function machineOf(node: string): string {
  return node.replace(OWN, '');
}
