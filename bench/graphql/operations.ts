import { readFileSync } from 'node:fs';
import type { SeededContent } from './seed-content.ts';

/** A measured operation. */
export interface Operation {
  readonly about: string;
  /** Maximum CPU of the server, against the raw handler. */
  readonly goal: number;
  readonly query: string;
  /** The variables of each request in turn, repeated after the last. */
  readonly variables: (places: SeededContent) => readonly object[];
}

/** Fields of a content card. */
const CARD = 'id kind publishedAt viewCount metadata { title duration } channel { id metadata { title } }';
const PAGE = 'pageInfo { hasNextPage endCursor } totalCount';
const COMMENT = 'id body createdAt editedAt depth isPinned isHearted author { id username } likes { count isLiked }';
const NONE = () => [{}];

const KPIS = ['views', 'watchMinutes', 'uniqueViewers', 'channelSubscribers', 'newChannelSubscribers'];

/** The measured operations; the raw handler identifies each by the name in its document. */
export const OPERATIONS = {
  verifyConnection: {
    about: 'key check',
    goal: 1.2,
    query:
      'query Verify { verifyConnection { authenticated user { id username } channel { id name } subscription ' +
      '{ plan state } permissions } }',
    variables: NONE,
  },
  list: {
    about: 'list of 20 with channel, cursor and exact total',
    goal: 1.25,
    query: `query List { features(first: 20) { edges { cursor node { id publishedAt metadata { title summary duration
      } channel { id metadata { name } } } }
      pageInfo { hasNextPage endCursor } totalCount } }`,
    variables: NONE,
  },
  nested: {
    about: 'list of 10 channels with 5 videos each',
    goal: 1.3,
    query: `query Nested { channels(first: 10) { edges { node { id metadata { name } features(first: 5) { edges { node
      { id publishedAt metadata { title duration } } } totalCount } } }
      pageInfo { hasNextPage endCursor } } }`,
    variables: NONE,
  },
  mutation: {
    about: 'updateContent with its payload',
    goal: 1.25,
    query:
      'mutation Update($id: DID!, $title: String!) { updateContent(id: $id, input: { title: $title }) ' +
      '{ id status metadata { title } updatedAt } }',
    // Two titles in turn: the same one again would change nothing.
    variables: ({ own }) => ['Renamed', 'Renamed again'].flatMap((title) => own.map((id) => ({ id, title }))),
  },
  watch: {
    about: 'the content of the watch page',
    goal: 1.3,
    query: documentOf('Watch'),
    variables: ({ codes }) => codes.map((code) => ({ code })),
  },
  comments: {
    about: '20 threads with author and 2 replies each',
    goal: 1.3,
    query:
      `query Threads($id: DID!) { comments(contentId: $id, first: 20) { edges { node { ${COMMENT} replies(first: 2) ` +
      `{ edges { node { ${COMMENT} } } totalCount } } } ${PAGE} } }`,
    variables: ({ watched }) => watched.map((id) => ({ id })),
  },
  playlist: {
    about: '20 items of a playlist with content and channel',
    goal: 1.3,
    query:
      'query Items($id: DID!) { playlist(id: $id) { id itemsCount metadata { title } items(first: 20) { edges ' +
      `{ cursor node { id index content { ${CARD} } } } ${PAGE} } } }`,
    variables: ({ playlists }) => playlists.map((id) => ({ id })),
  },
  search: {
    about: '20 contents, playlists and channels with highlights',
    goal: 1.3,
    query: `query Search($query: String!) { search(query: $query, first: 20) { edges { node { id type highlights { title
      { text matched } summary { text matched } }
      content { ${CARD} } playlist { id itemsCount metadata { title } channel { id metadata { title } } } channel
        { id handle followersCount } } } ${PAGE} } }`,
    variables: ({ words }) => words.map((query) => ({ query })),
  },
  analytics: {
    about: 'channel.analytics, overview of 28 days',
    goal: 1.3,
    query: `query Overview($channel: DID!) { channel(id: $channel) { id analytics { overview(range: LAST_28D) {
      from to previousFrom previousTo
      ${KPIS.map((name) => `${name} { value deltaVsPrevious deltaPct coverage { share } }`).join(' ')} } } } }`,
    variables: ({ channel }) => [{ channel }],
  },
  events: {
    about: 'the latest 25 events of a channel, for the event log',
    goal: 1.3,
    query: documentOf('LatestEvents'),
    variables: ({ channel }) => [{ channel }],
  },
} satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[]; // Object.keys loses the literal type

/** A document of the web application, by the name of its operation. */
function documentOf(name: string): string {
  const file = new URL('../../web/src/gql/generated/trusted-documents.json', import.meta.url);
  const documents = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>); // as generated
  const document = documents.find((text) => text.startsWith(`query ${name}(`));
  if (document === undefined) throw new Error(`The web application has no query ${name}.`);
  return document;
}
