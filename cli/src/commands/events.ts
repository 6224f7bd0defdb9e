import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { Client, Event, EventConnection, EventsVariables } from '../../../clients/typescript/src/index.ts';
import { type CommandContext, contextOf } from '../context.ts';
import { CliError } from '../errors.ts';
import { eventTypeOf, patternOf } from '../event-patterns.ts';
import { readPrivate, stateFolder, writePrivate } from '../folders.ts';
import { channelOption, collect, examples, limitOption } from '../options.ts';

/** Largest page of a connection. */
const MAX_PAGE_SIZE = 100;

/** The event log of the account's channels. */
export const events = new Command('events')
  .summary('Show or follow the events of your channels')
  .description(
    'Show the latest events of your channels, oldest first, or follow new ones. --follow runs until Ctrl-C; it ' +
      'reconnects and misses nothing. With --resume it starts after the last event that an earlier --follow ' +
      '--resume for the same platform, channel and types has shown. With --json each event is one line.',
  )
  .option('-f, --follow', 'Follow new events')
  .option('-t, --type <EVENT>', 'Only this type, such as content.published (may be repeated)', collect)
  .addOption(channelOption)
  .addOption(limitOption)
  .option('--after <CURSOR>', 'Follow from after this event')
  .option('--resume', 'Follow from where the last --resume ended')
  .addHelpText(
    'after',
    examples(
      'reelgraph events',
      'reelgraph events --follow --type comment.created --json',
      'reelgraph events --follow --resume',
    ),
  )
  .action(async ({ follow = false, resume = false, after, channel: named, type: types, limit }, command) => {
    if (!follow && (resume || after !== undefined))
      throw new CliError(`${resume ? '--resume' : '--after'} requires --follow.`, 'Add --follow.');
    const context = contextOf(command);
    const client = await context.client();
    const filter = { channel: await context.channelId(client, named), types: types?.map(eventTypeOf) };
    if (!follow) {
      for (const event of await latest(client, filter, limit, context.signal)) print(context, event);
      return;
    }
    const position = resume ? await positionFile(context, filter) : null;
    const saved = position === null ? null : await readPrivate(position);
    const cursor = after ?? (typeof saved?.cursor === 'string' ? saved.cursor : undefined);
    const onDisconnect = () => context.note('The connection was lost; reconnecting.');
    for await (const event of client.eventsAfter(filter, { signal: context.signal, after: cursor, onDisconnect })) {
      print(context, event);
      if (position !== null) await writePrivate(position, { cursor: event.cursor });
    }
    context.signal.throwIfAborted();
  });

/** The latest events, oldest first. */
async function latest(
  client: Client,
  filter: EventsVariables,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (let before: string | null = null; found.length < limit; ) {
    const page: EventConnection = await client.events(
      { ...filter, last: Math.min(MAX_PAGE_SIZE, limit - found.length), before },
      { signal },
    );
    found.unshift(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasPreviousPage) break;
    before = page.edges[0]?.cursor ?? null;
  }
  return found;
}

function print({ isJson, out }: CommandContext, event: Event): void {
  const { createdAt, type, subject } = event;
  out.line(
    isJson
      ? JSON.stringify(event)
      : `${out.style('dim', createdAt)}  ${out.style('cyan', patternOf(type).padEnd(24))}  ${subject}`,
  );
}

/** The saved position, one for each platform and filter. */
async function positionFile(context: CommandContext, filter: object): Promise<string> {
  const { url } = await context.account();
  const identity = createHash('sha256')
    .update(JSON.stringify([url, filter]))
    .digest('hex');
  return join(stateFolder(context.env), 'events', `${identity}.json`);
}
