import { asRecord, ReelgraphError } from './errors.ts';
import { type FollowOptions, follow } from './events/follow.ts';
import { type Connection, type PageOptions, type PageRequest, Pages } from './pages/pages.ts';
import type { Document } from './request/document.ts';
import type { CallOptions } from './request/options.ts';
import type { Requester } from './request/requester.ts';

/** The types of a method are generated, so its variables and data are not checked here. */
type Loose = Document<unknown, never>;

/** Subscriptions without an initial message: events before their first message would be lost with the connection. */
const WITHOUT_STATE: readonly string[] = ['eventsAfter', 'commentAdded'];

/** A method for each document, under its name. */
export function methodsOf(requester: Requester, documents: Readonly<Record<string, Loose>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [name, methodOf(requester, name, document)]),
  );
}

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
    given === null && WITHOUT_STATE.includes(name)
      ? await endOfLog(requester, options.signal)
      : (given as string | null);
  const following = { ...options, after: start };
  for await (const { data } of follow(requester, document, (variables ?? {}) as never, following))
    yield answerOf(document, data);
}

interface Log {
  readonly events: { readonly edges: readonly { readonly cursor: string }[] } | null;
}

/** The current position in the event log; null without one, or without permission to read it. */
async function endOfLog(requester: Requester, signal: AbortSignal | undefined): Promise<string | null> {
  try {
    const { events } = await requester.request<Log, object>('{ events(last: 1) { edges { cursor } } }', {}, { signal });
    return events?.edges.at(-1)?.cursor ?? null;
  } catch (error) {
    if (signal?.aborted) return null; // the iteration ends without a connection
    if (error instanceof ReelgraphError && error.code === 'UNAUTHORIZED') return null;
    throw error;
  }
}
