/**
 * What compiles and what must not, checked by `tsc`: a line that is expected to fail and does not is an error too.
 * Never run.
 */
import type {
  Channel,
  Client,
  Content,
  ContentConnection,
  Event,
  PublishVideoPayload,
  TypedDocument,
} from '../src/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export async function operations(client: Client): Promise<void> {
  same<Awaited<ReturnType<Client['publishVideo']>>, PublishVideoPayload>(true);
  const content = await client.content({ id: 'did:…' });
  same<typeof content, Content>(true);
  same<typeof content.metadata.title, string>(true);
  same<typeof content.publishedAt, string | null>(true);
  // @ts-expect-error: it is not selected
  content.assets;
  // @ts-expect-error: an argument that is needed
  await client.content();
  // @ts-expect-error: an argument of another type
  await client.content({ id: 7 });
  // @ts-expect-error: an argument there is not
  await client.content({ id: 'did:…', title: 'x' });
  // @ts-expect-error: a value that the enum does not have
  await client.contents({ sort: 'LOUDEST' });
  // @ts-expect-error: a member that the input does not have
  await client.createContent({ input: { title: 'x', colour: 'red' } });
  // @ts-expect-error: there is no such root field
  await client.nothing();
  // @ts-expect-error: there is no such option
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
  // @ts-expect-error: an argument that is needed
  client.channelContents.all();
  // @ts-expect-error: the iteration asks for the pages
  client.channels.all({ first: 10 });
  // @ts-expect-error: it is no list
  client.me.all();
}

export async function events(client: Client): Promise<void> {
  for await (const event of client.eventsAfter({ types: ['content.published'] }, { after: null }))
    same<typeof event, Event>(true);
  // @ts-expect-error: an argument that is needed
  client.contentUpdated();
  // @ts-expect-error: a stream is no promise
  await client.eventsAfter().then();
}

export async function documents(client: Client, typed: TypedDocument<{ a: number }, { b: string }>): Promise<void> {
  const result = await client.request(typed, { b: 'x' });
  same<typeof result, { a: number }>(true);
  // @ts-expect-error: a variable of another type
  await client.request(typed, { b: 7 });
  const unknown = await client.request('{ me { id } }');
  same<typeof unknown, unknown>(true);
  const answer = await client.answer(typed, { b: 'x' });
  same<typeof answer.data, { a: number } | null>(true);
}

export async function uploads(client: Client, file: Blob): Promise<void> {
  const { processing } = await client.upload(file, { title: 'x', publish: true });
  processing?.status.toLowerCase();
  // @ts-expect-error: a title is needed
  await client.upload(file, {});
  // @ts-expect-error: the file says it
  await client.upload(file, { title: 'x', size: 7 });
  await client.upload(file, {
    title: 'x',
    onProgress(progress) {
      // @ts-expect-error: only while it is sent
      progress.sentBytes;
      if (progress.phase === 'uploading') same<typeof progress.sentBytes, number>(true);
    },
  });
}
