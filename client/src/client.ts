import { type CoreClient, coreOf } from './core.ts';
import { type FollowOptions, follow } from './events/follow.ts';
import {
  type DID,
  eventsQuery,
  OPERATIONS,
  type Operations,
  type WaitForProcessingResult,
} from './generated/operations.gen.ts';
import { type Connection, type PageOptions, type PageRequest, Pages } from './pages/pages.ts';
import type { Document } from './request/document.ts';
import { asRecord, ReelgraphError } from './request/errors.ts';
import type { CallOptions, ClientOptions } from './request/options.ts';
import { Requester } from './request/requester.ts';
import { type WaitOptions, waitUntilProcessed } from './uploads/processing.ts';
import type { UploadSource } from './uploads/source.ts';
import { type UploadOptions, type UploadResult, upload } from './uploads/upload.ts';

/** A client of one platform: one method for each root field of the schema, and these. */
export interface Client extends Operations, CoreClient {
  /** Creates a video, uploads its file and waits until it is playable. */
  upload(file: Blob | UploadSource, options: UploadOptions): Promise<UploadResult>;
  /** Waits until a content's video is playable, and published if that was requested. */
  waitUntilProcessed(contentId: DID, options?: WaitOptions): Promise<WaitForProcessingResult>;
}

/** Subscriptions without an initial message: events before their first message would be lost with the connection. */
const WITHOUT_STATE: ReadonlySet<string> = new Set(['eventsAfter', 'commentAdded']);

/** Creates a client. It opens no connection until it is used. */
export function createClient(options: ClientOptions): Client {
  const requester = new Requester(options);
  const own: Omit<Client, keyof Operations> = {
    ...coreOf(requester),
    upload: (file, sending) => upload(requester, file, sending),
    waitUntilProcessed: (contentId, waiting) => waitUntilProcessed(requester, contentId, waiting),
  };
  const methods = Object.entries(OPERATIONS).map(([name, document]) => [name, methodOf(requester, name, document)]);
  return Object.assign(own, Object.fromEntries(methods)) as Client; // `Operations` is generated from the same table
}

/** The types of a method are generated, so its variables and data are not checked here. */
type Loose = Document<unknown, never>;

function methodOf(requester: Requester, name: string, document: Loose): unknown {
  if (document.kind === 'subscription')
    return (variables: unknown, options: FollowOptions = {}) =>
      followValues(requester, name, document, variables, options);
  const call = async (variables: unknown = {}, options: CallOptions = {}) =>
    answerOf(document, await requester.request(document, variables as never, options));
  const all = (variables: object = {}, options: PageOptions & CallOptions = {}) =>
    new Pages((page: PageRequest) => call({ ...variables, ...page }, options) as Promise<Connection | null>, options);
  return Object.assign(call, { all });
}

/** The part of the data that a method returns. */
function answerOf({ path }: Loose, data: unknown): unknown {
  return path.reduce<unknown>((value, key) => asRecord(value)[key] ?? null, data);
}

async function* followValues(
  requester: Requester,
  name: string,
  document: Loose,
  variables: unknown,
  options: FollowOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { cursor, after } = asRecord(variables);
  const given = options.after ?? cursor ?? after ?? null;
  const start =
    given === null && WITHOUT_STATE.has(name) ? await endOfLog(requester, options.signal) : (given as string | null);
  const following = { ...options, after: start };
  for await (const { data } of follow(requester, document, (variables ?? {}) as never, following))
    yield answerOf(document, data);
}

/** The current position in the event log; null without one, or without permission to read it. */
async function endOfLog(requester: Requester, signal: AbortSignal | undefined): Promise<string | null> {
  try {
    const { events } = await requester.request(eventsQuery, { last: 1 }, { signal });
    return events?.edges.at(-1)?.cursor ?? null;
  } catch (error) {
    if (signal?.aborted) return null; // the iteration ends without a connection
    if (error instanceof ReelgraphError && error.code === 'UNAUTHORIZED') return null;
    throw error;
  }
}
