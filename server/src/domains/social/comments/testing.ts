export const CREATE =
  'mutation ($contentId: DID!, $body: String!, $parent: DID) { createComment(contentId: $contentId, body: $body, ' +
  'parent: $parent) { id body contentId status depth author { id username } parent { id } } }';
export const UPDATE =
  'mutation ($id: DID!, $body: String!) { updateComment(id: $id, input: { body: $body }) { comment ' +
  '{ id body editedAt edits ' +
  '{ totalCount edges { node { body replacedAt } } } } } }';
export const READ =
  'query ($id: DID!) { comment(id: $id) { id body status author { username } replies { totalCount edges { node ' +
  '{ id } } } thread { totalCount } } }';
export const LIST =
  'query ($id: DID!, $sort: CommentSort!, $first: Int, $after: String, $last: Int, $before: String) ' +
  '{ comments(contentId: $id, sort: $sort, first: $first, after: $after, last: $last, before: $before) ' +
  '{ totalCount edges { node { id body isPinned likes { count } } } pageInfo ' +
  '{ hasNextPage hasPreviousPage startCursor endCursor } } }';
export const COUNT = 'query ($id: DID!) { content(id: $id) { commentCount isCommented comments { totalCount } } }';
export const MISSING = 'did:reelgraph:comment/01a1facb-422b-7000-b9e0-9276b51acd0e';

/** The comments of a list, by their DIDs. */
export function idsOf({ edges }: { readonly edges: { node: { id: string } }[] }): string[] {
  return edges.map(({ node }) => node.id);
}
