import { TypeNameMetaFieldDef } from 'graphql';
import { objectLiteral } from '../rows/object-literal.ts';
import type { ConnectionSpec } from '../rows/shape.ts';
import { type ConnectionSelection, namesOf, type SelectedObject } from './connection-selection.ts';
import type { ListSource } from './lists.ts';

/** A specification while the list's columns are planned. */
type OpenSpec = { -readonly [Key in keyof ConnectionSpec]: ConnectionSpec[Key] };

export function specOf(source: ListSource, { pageInfo }: ConnectionSelection, points: number): OpenSpec {
  const { codec, page } = source;
  const info = {
    hasNextPage: namesOf(pageInfo, 'hasNextPage'),
    hasPreviousPage: namesOf(pageInfo, 'hasPreviousPage'),
    startCursor: namesOf(pageInfo, 'startCursor'),
    endCursor: namesOf(pageInfo, 'endCursor'),
  };
  return { size: page.size, forward: page.forward, points, codec, edgeCursors: null, info };
}

/** Whether the page information says anything of the page's rows. */
export function readsPage({ pageInfo }: ConnectionSelection): boolean {
  return [...pageInfo.fields.values()].some(({ field }) => field !== TypeNameMetaFieldDef);
}

/** Code for an object of this type with the selected fields, in their order. */
export function objectOf({ type, fields }: SelectedObject, texts: Readonly<Record<string, string>>): string {
  const all: Readonly<Record<string, string>> = { ...texts, __typename: JSON.stringify(type) };
  return objectLiteral([...fields].map(([key, { node }]) => [key, all[node.name.value] ?? 'null']));
}
