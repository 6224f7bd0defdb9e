/** The four operations that are measured, as a client sends them. */
export const OPERATIONS = {
  verifyConnection: {
    about: 'key check',
    goal: 1.2,
    query:
      'query Verify { verifyConnection { authenticated user { id username } channel { id name } subscription { plan state } permissions } }',
  },
  list: {
    about: 'list of 20 with channel, cursor and exact total',
    goal: 1.25,
    query: `query List { features(first: 20) { edges { cursor node { id publishedAt metadata { title summary duration } channel { id metadata { name } } } }
      pageInfo { hasNextPage endCursor } totalCount } }`,
  },
  nested: {
    about: 'list of 10 channels with 5 videos each',
    goal: 1.3,
    query: `query Nested { channels(first: 10) { edges { node { id metadata { name } features(first: 5) { edges { node { id publishedAt metadata { title duration } } } totalCount } } }
      pageInfo { hasNextPage endCursor } } }`,
  },
  mutation: {
    about: 'updateContent with its payload',
    goal: 1.25,
    query:
      'mutation Update($id: DID!, $title: String!) { updateContent(id: $id, input: { title: $title }) { id status metadata { title } updatedAt } }',
  },
} as const;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[]; // Object.keys loses the literal type
