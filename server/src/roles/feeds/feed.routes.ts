import { Lru } from '@reelgraph/sql-planner';
import type { TrustedDocuments } from '../../gql/index.ts';
import type { GraphqlEngine } from '../../http/graphql/graphql-endpoint.ts';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { RequestContext, Route } from '../../platform/routing.ts';
import { feedDocument } from './feed-document.ts';
import { type FeedForm, type FeedQuery, type FeedSubject, readFeed } from './read-feed.ts';

export interface FeedRoutesOptions {
  readonly engine: GraphqlEngine;
  /** Those of the web application, which have the operations of feeds. */
  readonly documents: TrustedDocuments;
  readonly namespace: string;
  readonly baseUrl: string;
  readonly now?: () => number;
}

const KEPT = 500;
/** Long enough for many readers, short enough that an unpublished title disappears soon. */
const KEEP_MS = 60_000;
const TIMEOUT_MS = 10_000;
const OPERATIONS = ['ChannelFeed', 'ChannelFeedItems', 'PlaylistFeed'];
const FORMS: Readonly<Record<string, FeedForm>> = { 'videos.xml': 'videos', 'podcast.xml': 'podcast' };

/** RSS feeds and podcasts of channels and playlists, always read as anonymous, each at most once a minute. */
export function feedRoutes({ engine, documents, namespace, baseUrl, now = Date.now }: FeedRoutesOptions): Route[] {
  const ids = new Map(OPERATIONS.map((operation) => [operation, idOf(documents, operation)]));
  const kept = new Lru<string, { readonly until: number; readonly text: Promise<string | null> }>(KEPT);
  const read = (subject: FeedSubject, form: FeedForm, visit: Visit): Promise<string | null> => {
    const key = JSON.stringify([subject, form]);
    const known = kept.get(key);
    if (known && known.until > now()) return known.text;
    const text = readFeed(asking(engine, ids, visit), { namespace, baseUrl }, subject, form).then(
      (feed) => feed && feedDocument(feed),
    );
    kept.set(key, { until: now() + KEEP_MS, text });
    text.catch(() => kept.set(key, { until: 0, text }));
    return text;
  };
  return (['channel', 'playlist'] as const).map((kind) => ({
    method: 'GET',
    path: `/feeds/${kind}/:name/:file`,
    handle: async (_request, response, context) => {
      const { name = '', file = '' } = context.params;
      const form = FORMS[file];
      const text = form ? await read(kind === 'channel' ? { handle: name } : { playlist: name }, form, context) : null;
      if (text === null) throw noFeed();
      response.writeHead(200, {
        'content-type': 'application/rss+xml; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        'cache-control': `public, max-age=${KEEP_MS / 1000}`,
      });
      response.end(text);
    },
  }));
}

type Visit = Pick<RequestContext, 'requestId' | 'clientAddress'>;

function asking(
  engine: GraphqlEngine,
  ids: ReadonlyMap<string, string>,
  { requestId, clientAddress }: Visit,
): FeedQuery {
  return async (operation, variables) => {
    const { body, failure } = await engine.execute({
      requestId,
      clientAddress,
      documentId: ids.get(operation) ?? '',
      variables,
      credential: { kind: 'anonymous' },
      queriesOnly: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The GraphQL envelope; its data is read by the caller.
    const { data = null, errors = [] } = body as {
      data?: unknown;
      errors?: readonly { extensions?: { code?: string } }[];
    };
    const codes = [...(failure === null ? [] : [failure]), ...errors.map(({ extensions }) => extensions?.code)];
    if (codes.every((code) => code === 'RESOURCE_NOT_FOUND')) return codes.length > 0 ? null : data;
    throw new AppError('SERVICE_UNAVAILABLE', t`The feed could not be read.`, {
      suggestedFix: t`Try again in a minute.`,
    });
  };
}

function idOf(documents: TrustedDocuments, operation: string): string {
  for (const [id, text] of documents) if (text.startsWith(`query ${operation}(`)) return id;
  throw new Error(`The web app's documents have no query ${operation}: run "npm run gen".`);
}

function noFeed(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such feed, or it is not public.`, {
    suggestedFix: t`Take the address from the page of the channel or playlist.`,
  });
}
