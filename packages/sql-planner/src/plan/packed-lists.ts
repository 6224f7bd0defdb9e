import { type GraphQLCompositeType, isInterfaceType, isObjectType, type SelectionSetNode } from 'graphql';
import type { ListLevel } from '../rows/branch.ts';
import type { FieldPlan } from '../schema/declarations.ts';
import { readsPage } from './connection-code.ts';
import { connectionSelection, selects } from './connection-selection.ts';
import type { ListSource } from './lists.ts';
import type { Page } from './page.ts';
import { type Depth, levelOf, type PlanningContext, type Position } from './position.ts';
import { collect, compositeOf, type KeyOf, type ReadableDocument, type Selected } from './selection.ts';
import { variantsOf } from './variants.ts';

/**
 * Entries of a list that is read as one JSON column beside others: a page of the default size. For a handful of
 * entries, a statement of its own took 110 to 135 microseconds, and such a column 35.
 */
export const MAX_PACKED_ENTRIES = 20;

/**
 * Whether a list is read as one column of its row: beside other lists, and without lists below its entries. One list of
 * a row continues its statement instead.
 */
export function isPackable({ lists = 0 }: Depth, { size }: Page, listsBelowEntries: number): boolean {
  return lists > 1 && size <= MAX_PACKED_ENTRIES && listsBelowEntries === 0;
}

/** A list whose entries are being planned. */
export interface PlannedList {
  readonly level: ListLevel;
  readonly position: Position;
  /** Code that puts a new connection where its rows will find it. */
  readonly opening: (open: string) => string;
}

/** What the page of a list is read with. */
interface ListPage {
  readonly alias: string;
  readonly limit: number;
  /** The condition for its being read. */
  readonly visible: string | undefined;
}

/** A list as one column: a JSON array of the values of each entry, made by a subquery. */
export function packedList(
  { ports }: PlanningContext,
  at: Position,
  source: ListSource,
  { alias, limit, visible }: ListPage,
): PlannedList {
  const { builder, branch } = at.depth;
  const nested = builder.nested();
  const from = `(${source.rows(nested, alias, limit, visible)}) ${alias}`;
  source.keepOrder(nested, alias);
  const level: ListLevel = { id: 0, key: 0, entry: 'null', keepsRows: false, children: [], byKey: false };
  // Called once all columns of the entries are known.
  const opening = (open: string) => {
    const { sql, isChunked } = nested.pack(from, ports.values.inJson, source.isOrdered);
    const packed = `row[${builder.column(sql, levelOf(at))}]`;
    const rows = isChunked ? `unchunked(${packed})` : packed;
    return `state.fill(${open},${rows},(row)=>(${level.entry}),${level.keepsRows})`;
  };
  const depth: Depth = { branch, builder: nested, keys: [], continued: false, level: null };
  return { level, position: { alias, steps: [], depth }, opening };
}

/** How many lists with entries are selected directly below a row: of itself, and of the rows beside it. */
export function listsBelow(
  document: ReadableDocument,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  keyOf: KeyOf,
): number {
  let count = 0;
  for (const selected of selectedOf(document, type, sets, keyOf)) {
    const { kind } = (selected.field.extensions['plan'] as FieldPlan | undefined) ?? { kind: 'value' }; // set by Graph
    if (kind === 'connection') {
      const parts = connectionSelection(document, selected, keyOf);
      if (selects(parts.connection, 'edges') || readsPage(parts)) count += 1;
    } else if (kind === 'embed' || kind === 'one' || kind === 'read')
      count += listsBelow(document, compositeOf(selected.field), selected.below, keyOf);
  }
  return count;
}

/** The selected fields; of rows of several types, those of each. */
function selectedOf(
  document: ReadableDocument,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  keyOf: KeyOf,
): Iterable<Selected> {
  if (isObjectType(type)) return collect(document, type, sets, keyOf).values();
  if (!isInterfaceType(type)) return [];
  return new Set(variantsOf(document, type, sets, keyOf).flatMap(({ fields }) => [...fields.values()]));
}
