/**
 * What must compile and what must not, checked by `tsc`: a line that is expected to fail and compiles is an error.
 * Never run.
 */
import type {
  Channel,
  Client,
  Content,
  ContentConnection,
  Event,
  PublishVideoResult,
  TypedDocument,
} from '../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export async function operations(client: Client): Promise<void> {
  same<Awaited<ReturnType<Client['publishVideo']>>, PublishVideoResult>(true);
  const content = await client.content({ id: 'did:…' });
  same<typeof content, Content>(true);
  same<typeof content.metadata.title, string>(true);
  same<typeof content.publishedAt, string | null>(true);
  // @ts-expect-error: not selected
  content.assets;
  // @ts-expect-error: a missing argument
  await client.job();
  // @ts-expect-error: an argument of the wrong type
  await client.content({ id: 7 });
  // @ts-expect-error: an unknown argument
  await client.content({ id: 'did:…', title: 'x' });
  // @ts-expect-error: an unknown enum value
  await client.contents({ sort: 'LOUDEST' });
  // @ts-expect-error: an unknown input field
  await client.createContent({ input: { title: 'x', colour: 'red' } });
  // @ts-expect-error: an unknown root field
  await client.nothing();
  // @ts-expect-error: an unknown option
  await client.me({}, { retries: 3 });
  await client.me({}, { retry: { maxAttempts: 1 }, signal: AbortSignal.timeout(1) });
  await client.me({}, { retry: false });
}

export async function lists(client: Client): Promise<void> {
  same<Awaited<ReturnType<Client['channelContents']>>, ContentConnection | null>(true);
  for await (const content of client.channelContents.all({ id: 'did:…' })) same<typeof content, Content>(true);
  for await (const { cursor, node } of client.channels.all().edges())
    same<[typeof cursor, typeof node], [string, Channel]>(true);
  for await (const { totalCount } of client.channels.all({}, { limit: 5 }).pages())
    same<typeof totalCount, number>(true);
  // @ts-expect-error: a missing argument
  client.channelContents.all();
  // @ts-expect-error: the iteration sets the page arguments
  client.channels.all({ first: 10 });
  // @ts-expect-error: not a list
  client.me.all();
}

export async function events(client: Client): Promise<void> {
  for await (const event of client.eventsAfter({ types: ['CONTENT_PUBLISHED'] }, { after: null }))
    same<typeof event, Event>(true);
  // @ts-expect-error: a missing argument
  client.contentUpdated();
  // @ts-expect-error: a stream is not a promise
  await client.eventsAfter().then();
}

export async function documents(client: Client, typed: TypedDocument<{ a: number }, { b: string }>): Promise<void> {
  const result = await client.request(typed, { b: 'x' });
  same<typeof result, { a: number }>(true);
  // @ts-expect-error: a variable of the wrong type
  await client.request(typed, { b: 7 });
  const unknown = await client.request('{ me { id } }');
  same<typeof unknown, unknown>(true);
  const answer = await client.answer(typed, { b: 'x' });
  same<typeof answer.data, { readonly a: number | null } | null>(true);
}

export async function uploads(client: Client, file: Blob): Promise<void> {
  const { processing } = await client.upload(file, { title: 'x', publish: true });
  processing?.status.toLowerCase();
  // @ts-expect-error: a missing title
  await client.upload(file, {});
  // @ts-expect-error: known from the file
  await client.upload(file, { title: 'x', size: 7 });
  await client.upload(file, {
    title: 'x',
    onProgress(progress) {
      // @ts-expect-error: only with an upload
      progress.sentBytes;
      if (progress.phase === 'uploading') same<typeof progress.sentBytes, number>(true);
    },
  });
}
