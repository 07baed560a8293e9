import type { SyntaxNode } from 'unbash';

/**
 * Whether what a part sets holds behind it. A part that may be skipped, or runs in a shell of its own, tells nothing
 * about what comes after it: in `false && x=a; cat $x/b` there is no `x`. It `ends` here, or it `lasts` as in
 * `a && x=1 && cat $x`.
 */
export function certaintyOf(node: SyntaxNode, child: SyntaxNode): 'certain' | 'lasts' | 'ends' {
  switch (node.type) {
    case 'AndOr': {
      const at = node.commands.findIndex((command) => command === child);
      if (at === 0) return 'certain';
      return node.operators[at - 1] === '&&' && node.operators[at] === '&&' ? 'lasts' : 'ends';
    }
    case 'Pipeline':
      return node.commands.length > 1 ? 'ends' : 'certain';
    case 'If':
      return child === node.clause ? 'certain' : 'ends';
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
    case 'While':
    case 'Function':
    case 'Coproc':
      return child === node.body ? 'ends' : 'certain';
    case 'Case':
      return child.type === 'CaseItem' ? 'ends' : 'certain';
    case 'Subshell':
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return 'ends';
    case 'Statement':
      return node.background ? 'ends' : 'certain';
    default:
      return 'certain';
  }
}
