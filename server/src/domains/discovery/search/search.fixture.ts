import type { Person, TestCatalog } from '../../catalog/testing.ts';

const SEARCH = `query ($query: String!, $types: [SearchType!], $filter: SearchFilter) { search(query: $query,
  types: $types, filter: $filter, first: 50) {
  totalCount edges { node { id type score highlights { title { text matched } summary { text matched } } content
    { id kind } channel { id handle } } } } }`;

/** The result of a search. */
// biome-ignore lint/suspicious/noExplicitAny: responses vary with the documents
export async function searchAs(api: TestCatalog, viewer: Person, query: string, more: object = {}): Promise<any> {
  return (await api.ok(viewer, SEARCH, { query, ...more })).search;
}

/** The titles in the result of a search. */
export function titlesOf(result: { edges: { node: { highlights: { title: { text: string }[] } } }[] }): string[] {
  return result.edges.map(({ node }) => node.highlights.title.map(({ text }) => text).join(''));
}
