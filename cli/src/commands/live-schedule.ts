import { Command, Option } from '@commander-js/extra-typings';
import type { Connection } from '../../../clients/typescript/src/index.ts';
import { contextOf } from '../context.ts';
import { noteRest, readList } from '../lists.ts';
import { channelOption, examples, instant, limitOption, visibilityOption } from '../options.ts';

const ID = 'did:reelgraph:content/stream/0198c5a0-…';
const INPUT_ID = 'did:reelgraph:live-input/0198c5a0-…';
const STREAM = 'id shortUrl metadata { title visibility } broadcast { state scheduledAt }';
const LIST = `query CliScheduledStreams($channel: DID, $first: Int, $after: String) {
  scheduledStreams(channel: $channel, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${STREAM} } }
  }
}`;

interface ScheduledStream {
  readonly id: string;
  readonly shortUrl: string;
  readonly metadata: { readonly title: string; readonly visibility: string };
  readonly broadcast: { readonly state: string; readonly scheduledAt: string };
}

const at = new Option('--at <TIME>', 'When it begins').argParser(instant).makeOptionMandatory();

const schedule = new Command('schedule')
  .summary('Schedule a broadcast of a live input')
  .description(
    'Schedule a broadcast. Its stream is published at once and shows a countdown. An encoder that connects from 30 ' +
      'minutes before that time until 6 hours after it begins the broadcast.',
  )
  .argument('<INPUT>', 'Identifier of a live input')
  .argument('<TITLE>', 'Title of the stream')
  .addOption(at)
  .option('--description <TEXT>', 'Description of the stream')
  .addOption(visibilityOption)
  .addHelpText('after', examples(`reelgraph live schedule ${INPUT_ID} "The eclipse" --at 2030-01-31T18:00:00Z`))
  .action(async (liveInput, title, { at: scheduledAt, description: summary, visibility }, command) => {
    const context = contextOf(command);
    const input = { liveInput, title, scheduledAt, summary, visibility };
    const { stream } = await (await context.client()).scheduleStream({ input }, { signal: context.signal });
    context.done(stream, 'scheduled', stream.id);
  });

const scheduled = new Command('scheduled')
  .description('List what is scheduled, next first, and behind it what was missed or canceled')
  .addOption(channelOption)
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph live scheduled'))
  .action(async ({ channel: named, limit }, command) => {
    type Data = { readonly scheduledStreams: Connection<ScheduledStream> | null };
    const context = contextOf(command);
    const client = await context.client();
    const channel = await context.channelIdOrOwn(client, named);
    const page = { limit, signal: context.signal };
    const found = await readList(
      client.paginate<Connection<ScheduledStream>, Data>(LIST, { channel }, (data) => data.scheduledStreams, page),
    );
    context.result({ totalCount: found.totalCount, streams: found.nodes }, (out) =>
      out.list(
        found.nodes.map(({ id, broadcast: { state, scheduledAt }, metadata }) => [
          id,
          state.toLowerCase(),
          scheduledAt,
          metadata.title,
        ]),
      ),
    );
    noteRest(context, found, 'Nothing is scheduled. Schedule a broadcast with `reelgraph live schedule`.');
  });

const reschedule = new Command('reschedule')
  .description('Give a broadcast another time, also one that was missed or canceled')
  .argument('<STREAM>', 'Identifier of a stream')
  .addOption(at)
  .option('--input <INPUT>', 'Identifier of another live input')
  .addHelpText('after', examples(`reelgraph live reschedule ${ID} --at 2030-02-01T18:00:00Z`))
  .action(async (id, { at: scheduledAt, input: liveInput }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const { stream } = await client.rescheduleStream(
      { id, input: { scheduledAt, liveInput } },
      { signal: context.signal },
    );
    context.done(stream, 'scheduled', stream.id);
  });

const cancel = new Command('cancel')
  .description('Cancel a scheduled broadcast; its stream becomes a draft')
  .argument('<STREAM>', 'Identifier of a stream')
  .addHelpText('after', examples(`reelgraph live cancel ${ID}`))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const { stream } = await (await context.client()).cancelStream({ id }, { signal: context.signal });
    context.done(stream, 'canceled', stream.id);
  });

/** Broadcasts that are scheduled. */
export const scheduleCommands = [schedule, scheduled, reschedule, cancel];
