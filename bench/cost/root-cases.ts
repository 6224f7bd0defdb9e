import { type CostArguments, KINDS } from './arguments.ts';

/** Argument cases of a root field, by kind of attack; the first ones are typical use. */
export type RootCases = Readonly<Record<string, string>>;

/** Words that are in no title but resemble words of the vocabulary. */
const TYPOS = 'mivanobez kagobadef tirufolen sebodamij pulinorav wudezahok';
const NOTHING = '00000000-0000-7000-8000-000000000000';
const nowhere = (kind: string) => JSON.stringify(`did:reelgraph:${kind}/${NOTHING}`);

/**
 * Cases of every root field of Query, by name. The benchmark adds page sizes and cursors; these arguments make the
 * database work most.
 */
export function rootCasesFor(places: CostArguments): Readonly<Record<string, RootCases>> {
  const text = JSON.stringify;
  const plain = { plain: '' };
  const content = `contentId: ${text(places.content)}`;
  const byId = (id: string) => ({ found: `id: ${text(id)}` });
  const kinds = Object.fromEntries(
    KINDS.map((kind) => [kind, { ...byId(places.kinds[kind]), missing: `id: ${nowhere(`content/${kind}`)}` }]),
  );
  return {
    ...kinds,
    accounts: { newest: '', search: 'search: "operator"', suspended: 'suspended: true' },
    automaticCaptions: plain,
    categories: plain,
    channel: { ...byId(places.channel), missing: 'handle: "no-such-channel"' },
    channelInvitation: { missing: 'token: "none"' },
    channelDashboard: { own: `input: { channel: ${text(places.channel)} }` },
    channels: plain,
    comment: byId(places.comment),
    comments: { newest: content, top: `${content}, sort: TOP` },
    content: byId(places.content),
    contents: contentsCases(places),
    dataExport: { missing: `id: ${nowhere('data-export')}` },
    dataExports: plain,
    developerSettings: plain,
    episodes: plain,
    ...estimateCases(places),
    events: {
      plain: '',
      channel: `channel: ${text(places.channel)}`,
      'rare type': `channel: ${text(places.channel)}, types: [WEBHOOK_DISABLED]`,
    },
    feature: byId(places.content),
    features: plain,
    feed: plain,
    genres: plain,
    instance: plain,
    invitations: plain,
    mailMessages: plain,
    operatorActions: plain,
    job: { missing: `id: ${nowhere('job')}` },
    jobs: { plain: '', channel: `channel: ${text(places.channel)}` },
    me: plain,
    miniseries: plain,
    node: byId(places.content),
    liveInputs: plain,
    nodes: {
      'one hundred': `ids: [${Array.from({ length: 100 }, () => text(places.content)).join(' ')}]`,
      one: `ids: [${text(places.content)}]`,
    },
    notifications: plain,
    playlist: byId(places.playlist),
    playlists: plain,
    rateLimit: plain,
    ratings: plain,
    scheduledStreams: plain,
    search: searchCases(places),
    seasons: plain,
    series: plain,
    serverChannels: plain,
    serverJobs: { newest: '', failed: 'status: ERROR', captions: 'purpose: CAPTIONS' },
    serverReports: { open: '', dismissed: 'status: DISMISSED' },
    serverStatus: plain,
    serverStorage: plain,
    serverVideos: plain,
    shorts: plain,
    signingKeys: plain,
    streams: plain,
    tokens: plain,
    trending: {
      plain: '',
      kind: 'kind: STREAM',
      'category and kind': `category: ${text(places.rareCategory)}, kind: STREAM`,
    },
    upscaling: plain,
    verifyConnection: plain,
    watchHistory: plain,
    webhooks: plain,
    youtubePublishJob: { missing: `id: ${nowhere('youtube-publish-job')}` },
    youtubeVideos: plain,
  };
}

function estimateCases(places: CostArguments): Readonly<Record<string, RootCases>> {
  const content = { found: `id: ${JSON.stringify(places.content)}` };
  return {
    estimate: { day: 'input: { durationMs: 86400000, width: 1920, height: 1080 }' },
    estimateTranscription: content,
    estimateTranslation: { found: `id: ${JSON.stringify(places.content)}, input: { from: "en", to: "de" }` },
    estimateUpmix: content,
    estimateUpscale: content,
  };
}

function contentsCases(places: CostArguments): RootCases {
  const filter = (fields: string, sort = 'NEWEST') => `filter: { ${fields} }, sort: ${sort}`;
  const category = JSON.stringify(places.category);
  return {
    plain: '',
    'no such language': filter('language: "zz"'),
    'no such language, most viewed': filter('language: "zz"', 'MOST_VIEWED'),
    'no such rating': filter(`ratings: [${nowhere('content/rating')}]`),
    'no such layout': filter('layout: PORTRAIT'),
    'no such length': filter('minDurationMs: 999999999', 'TITLE'),
    'no such channel': filter(`channel: ${nowhere('channel')}`, 'TITLE'),
    'no such channel and language': filter(`channel: ${JSON.stringify(places.channel)}, language: "zz"`, 'TITLE'),
    'before everything': filter('publishedBefore: "1990-01-01T00:00:00Z"', 'MOST_LIKED'),
    'half of all, counted': filter('publishedAfter: "2000-01-01T00:00:00Z", language: "en"', 'TITLE'),
    'kind that is rare': filter('kinds: [MINISERIES], language: "zz"', 'LONGEST'),
    'category and nothing': filter(`categories: [${category}], language: "zz"`, 'MOST_VIEWED'),
    'category and genre': filter(`categories: [${category}], genres: [${nowhere('content/genre')}]`),
    'one category': filter(`categories: [${category}]`, 'MOST_VIEWED'),
    'category and kind': filter(`categories: [${category}], kinds: [MINISERIES]`, 'MOST_VIEWED'),
    'all categories': filter(`categories: [${places.categories.map((id) => JSON.stringify(id)).join(' ')}]`, 'TITLE'),
    'all categories and nothing': filter(
      `categories: [${places.categories.map((id) => JSON.stringify(id)).join(' ')}], language: "zz"`,
      'TITLE',
    ),
    'all categories and kind': filter(
      `categories: [${places.categories.map((id) => JSON.stringify(id)).join(' ')}], kinds: [MINISERIES]`,
      'TITLE',
    ),
    'channel and kind': filter(`channel: ${JSON.stringify(places.channel)}, kinds: [MINISERIES]`),
    'kind alone': filter('kinds: [MINISERIES]', 'TITLE'),
    'channel alone': filter(`channel: ${JSON.stringify(places.channel)}`, 'TITLE'),
    'small channel': filter(`channel: ${JSON.stringify(places.smallChannel)}`, 'MOST_VIEWED'),
    'two categories': filter(
      `categories: [${category}, ${JSON.stringify(places.rareCategory)}], language: "zz"`,
      'TITLE',
    ),
    'query, common word': filter('query: "video"', 'TITLE'),
    'query, typos': filter(`query: "${TYPOS}"`, 'TITLE'),
    'query, one letter': filter('query: "b", language: "zz"', 'OLDEST'),
  };
}

function searchCases(places: CostArguments): RootCases {
  const { word } = places;
  const search = (query: string, more = '') => `query: ${JSON.stringify(query)}${more}`;
  return {
    'rare word': search(word),
    'common word': search('video'),
    'common words of summaries': search('have to do with each other it is worth what and'),
    'beginning of two letters': search('ba'),
    'beginning after common words': search('it is worth b'),
    'misspelled word': search(`${word.slice(0, 7)}x${word.slice(8)}`),
    'many typos': search(TYPOS),
    'many typos and nothing': search(TYPOS, ', filter: { language: "zz" }'),
    'common word, no such language': search('video', ', filter: { language: "zz" }'),
    'common word, before everything': search('video', ', filter: { publishedBefore: "1990-01-01T00:00:00Z" }'),
    'summary words, before everything': search('it is worth', ', filter: { publishedBefore: "1990-01-01T00:00:00Z" }'),
    'beginning, too long': search('ba', ', filter: { minDurationMs: 999999999 }'),
    'no such tag': search('have to do with each other', `, filter: { categories: [${nowhere('content/category')}] }`),
  };
}
