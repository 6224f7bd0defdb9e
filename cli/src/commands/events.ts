import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Client, Event, EventConnection, EventsVariables } from '../../../client/src/index.ts';
import type { Call } from '../call.ts';
import { CHANNEL_OPTION, type Command, LIMIT_OPTION } from '../command.ts';
import { CliError } from '../failures.ts';
import { readPrivate, stateFolder, writePrivate } from '../folders.ts';

/** What the platform gives of a list at a time. */
const MOST_AT_ONCE = 100;

/** The log of one's channels. */
export const events: Command = {
  name: 'events',
  about: 'Show what happened in your channels, or follow what happens',
  details:
    'Without --follow the latest events are shown, the oldest of them first. --follow goes on until Ctrl-C; connections that break are made again and nothing is left out. With --resume it begins behind the last event that an earlier --follow --resume of the same platform, channel and types has shown. With --json each event is one line.',
  operands: [],
  options: [
    { name: 'follow', short: 'f', about: 'Go on with what happens from now on' },
    { name: 'type', short: 't', value: 'TYPE', repeated: true, about: 'Only this type, such as content.published' },
    CHANNEL_OPTION,
    LIMIT_OPTION,
    { name: 'after', value: 'CURSOR', about: 'Follow from behind this event' },
    { name: 'resume', about: 'Follow from where the last --resume ended' },
  ],
  examples: ['reelgraph events', 'reelgraph events --follow --type comment.created --json', 'reelgraph events --follow --resume'],
  async run(call) {
    const follows = call.values.flag('follow');
    for (const name of ['after', 'resume'] as const)
      if (!follows && (call.values.flag(name) || call.values.text(name) !== undefined))
        throw new CliError(`--${name} is for events that are followed.`, 'Give --follow as well.');
    const client = await call.client();
    const channel = await call.namedChannel(client);
    const types = call.values.texts('type');
    const filter = { channel, types: types.length > 0 ? types : undefined };
    if (!follows) {
      for (const event of await latest(client, filter, call.limit(), call.signal)) tell(call, event);
      return;
    }
    const place = call.values.flag('resume') ? await placeFile(call, filter) : null;
    const kept = place === null ? null : await readPrivate(place);
    const after = call.values.text('after') ?? (typeof kept?.cursor === 'string' ? kept.cursor : undefined);
    const onDisconnect = () => call.remark('The connection broke; connecting again.');
    for await (const event of client.eventsAfter(filter, { signal: call.signal, after, onDisconnect })) {
      tell(call, event);
      if (place !== null) await writePrivate(place, { cursor: event.cursor });
    }
    call.signal.throwIfAborted();
  },
};

/** The latest events, the oldest of them first. */
async function latest(client: Client, filter: EventsVariables, limit: number, signal: AbortSignal): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (let before: string | null = null; found.length < limit; ) {
    const page: EventConnection = await client.events(
      { ...filter, last: Math.min(MOST_AT_ONCE, limit - found.length), before },
      { signal },
    );
    found.unshift(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasPreviousPage) break;
    before = page.edges[0]?.cursor ?? null;
  }
  return found;
}

function tell({ isJson, out }: Call, event: Event): void {
  const { createdAt, type, subject } = event;
  out.line(isJson ? JSON.stringify(event) : `${out.style('dim', createdAt)}  ${out.style('cyan', type.padEnd(24))}  ${subject}`);
}

/** One place for each platform and filter. */
async function placeFile(call: Call, filter: object): Promise<string> {
  const { url } = await call.account();
  const identity = createHash('sha256')
    .update(JSON.stringify([url, filter]))
    .digest('hex');
  return join(stateFolder(call.env), 'events', `${identity}.json`);
}
