/** A measured GraphQL query. */
export interface Case {
  readonly name: string;
  readonly query: string;
  /** Path of the connection in the response, for lists that are also read near their end (variable `after`). */
  readonly deep?: readonly string[];
}

/** Identifiers that the queries need; the same objects in databases of every size. */
export interface CaseArguments {
  readonly channel: string;
  readonly category: string;
  /** A category of 40 contents. */
  readonly rareCategory: string;
  readonly content: string;
  readonly comment: string;
  readonly playlist: string;
  /** A word of ten titles, and one of its neighbours. */
  readonly word: string;
}

const PAGE = 'pageInfo { hasNextPage endCursor } totalCount';
const CARD = `id publishedAt metadata { title summary duration } channel { id metadata { name } }`;
const CARDS = `edges { cursor node { kind ${CARD} } } ${PAGE}`;
const COMMENTS =
  'edges { node { id body createdAt likes { count } author { username } ' +
  `replies(first: 2) { edges { node { id body } } totalCount } } } ${PAGE}`;

/** Lists whose pages should cost the same at any length. */
export function casesFor(args: CaseArguments): Case[] {
  const content = JSON.stringify(args.content);
  return [
    list('features', 'features', (page) => `features(${page}) { edges { cursor node { ${CARD} } } ${PAGE} }`),
    { name: 'features, backwards', query: `{ features(last: 20) { edges { cursor node { ${CARD} } } ${PAGE} } }` },
    list(
      'channel.features',
      'channel.features',
      (page) => `channel(id: "${args.channel}") { features(${page}) { edges { cursor node { ${CARD} } } ${PAGE} } }`,
    ),
    list('contents, newest', 'contents', (page) => `contents(${page}) { ${CARDS} }`),
    list('contents, most viewed', 'contents', (page) => `contents(sort: MOST_VIEWED, ${page}) { ${CARDS} }`),
    list(
      'contents of a category',
      'contents',
      (page) => `contents(filter: { categories: ["${args.category}"] }, ${page}) { ${CARDS} }`,
    ),
    list(
      'contents of a rare category',
      'contents',
      (page) => `contents(filter: { categories: ["${args.rareCategory}"] }, ${page}) { ${CARDS} }`,
    ),
    list(
      'most viewed of a category',
      'contents',
      (page) => `contents(filter: { categories: ["${args.category}"] }, sort: MOST_VIEWED, ${page}) { ${CARDS} }`,
    ),
    list('contents by title', 'contents', (page) => `contents(sort: TITLE, ${page}) { ${CARDS} }`),
    list('comments, newest', 'comments', (page) => `comments(contentId: ${content}, ${page}) { ${COMMENTS} }`),
    list('comments, top', 'comments', (page) => `comments(contentId: ${content}, sort: TOP, ${page}) { ${COMMENTS} }`),
    list(
      'replies',
      'comment.replies',
      (page) =>
        `comment(id: "${args.comment}") { replies(${page}) { ` +
        `edges { node { id body author { username } } } ${PAGE} } }`,
    ),
    list(
      'playlist of 5,000',
      'playlist.items',
      (page) => `playlist(id: "${args.playlist}") { items(${page}) { edges { node { id content { id } } } ${PAGE} } }`,
    ),
    list('trending', 'trending', (page) => `trending(${page}) { ${CARDS} }`),
    list('feed of 200 channels', 'feed', (page) => `feed(${page}) { ${CARDS} }`),
    list('events', 'events', (page) => `events(${page}) { edges { cursor node { id type createdAt } } ${PAGE} }`),
    list(
      'channels',
      'channels',
      (page) => `channels(${page}) { edges { node { id metadata { name } followersCount } } ${PAGE} }`,
    ),
    search('rare word', args.word),
    search('beginning of a word', args.word.slice(0, 8)),
    search('misspelled word', `${args.word.slice(0, 7)}x${args.word.slice(8)}`),
    search('common word', 'video'),
    {
      name: 'channel.analytics',
      query:
        `{ channel(id: "${args.channel}") { analytics { overview(range: LAST_28D) { views { value deltaPct ` +
        '} watchMinutes { value } uniqueViewers { value } channelSubscribers { value } } } } }',
    },
  ];
}

function list(name: string, path: string, field: (page: string) => string): Case {
  return {
    name,
    deep: path.split('.'),
    query: `query ($first: Int, $after: String, $last: Int) { ${field('first: $first, after: $after, last: $last')} }`,
  };
}

function search(name: string, text: string): Case {
  return {
    name: `search, ${name}`,
    query:
      `{ search(query: "${text}", first: 20) { edges { node { type score highlights { title { text matched } ` +
      `} content { id } } } ${PAGE} } }`,
  };
}
