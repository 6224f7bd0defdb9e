import { countRows } from '../../../gql/index.ts';

/** SQL: contents related to the content with this id, with `related_score`. */
export function relatedContents(contentId: string): string {
  return `(select c.*, r.score as related_score from content_related(${contentId}) r join contents c on c.id = r.id)`;
}

/** SQL: their number. */
export function relatedCount(contentId: string): string {
  return countRows(`content_related(${contentId})`, () => 'true');
}

/** SQL query of the hits of a search, from the arguments of search_find (see the migrations). */
export function searchHits(values: readonly string[]): string {
  return `select * from search_find(${values.join(', ')})`;
}

/** SQL query of the documents of a page of hits. */
export function withDocuments(page: string): string {
  return `select d.*, h.score, h.terms from (${page}) h join search_documents d on d.id = h.id`;
}

/** SQL: the number of hits, at most `most`. */
export function hitCount(hits: string, most: number): string {
  return `(select least(count(*), ${most})::int from ${hits})`;
}
