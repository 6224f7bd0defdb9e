import type { Connection, NodeOf, Pages } from '../../clients/typescript/src/index.ts';
import type { CommandContext } from './context.ts';

/** The entries of a list up to its limit, and how many it has. */
export interface Listed<Node> {
  readonly totalCount: number;
  readonly nodes: readonly Node[];
}

/** Reads a list to its limit. */
export async function readList<C extends Connection>(pages: Pages<C>): Promise<Listed<NodeOf<C>>> {
  let total = 0;
  const nodes: NodeOf<C>[] = [];
  for await (const { edges, totalCount = 0 } of pages.pages()) {
    total = totalCount;
    nodes.push(...edges.map(({ node }) => node as NodeOf<C>)); // the nodes of C
  }
  return { totalCount: total, nodes };
}

/** Notes that entries are left, or that there are none. */
export function noteRest(context: CommandContext, { totalCount, nodes }: Listed<unknown>, none: string): void {
  if (nodes.length < totalCount) context.note(`${nodes.length} of ${totalCount}; use --limit to list more.`);
  if (nodes.length === 0) context.note(none);
}
