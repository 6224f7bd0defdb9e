import { CONTENT_KIND_NAMES, CONTENT_KINDS } from '../../../kernel/content-kinds.ts';

/** SQL: the parent of the parent of a content, as its id. */
export function grandparentOf(content: string): string {
  return `(select p.parent_id from contents p where p.id = ${content}.parent_id)`;
}

/** SQL: whether a category or genre is assigned to a content. */
export function isAssigned(kind: 'category' | 'genre', id: string, contentId: string): string {
  const [table, column] = kind === 'category' ? ['content_categories', 'category_id'] : ['content_genres', 'genre_id'];
  return `exists (select 1 from ${table} l where l.content_id = ${contentId} and l.${column} = ${id})`;
}

/** SQL: the id of the first genre of a content. */
export function mainGenreOf(contentId: string): string {
  return `(select l.genre_id from content_genres l where l.content_id = ${contentId} order by l.position limit 1)`;
}

/** SQL: when a content was or will be published. */
export function releaseDateOf(content: string): string {
  return `coalesce(${content}.release_at, ${content}.published_at)`;
}

const TYPE_NAMES = CONTENT_KIND_NAMES.map((kind) => `when '${kind}' then '${CONTENT_KINDS[kind].type}'`).join(' ');

/** SQL: the name of a content's GraphQL type. */
export function typeNameOf(content: string): string {
  return `case ${content}.kind ${TYPE_NAMES} end`;
}
