import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Connection, Pages } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { channelAddress, count, moment } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { examples, limitOption } from '../../options.ts';
import { channelChanges } from './channel-changes.ts';
import { channelFollows } from './channel-follows.ts';
import { channelMembers } from './channel-members.ts';
import { channelTexts } from './channel-texts.ts';

interface ListedChannel {
  readonly id: string;
  readonly handle: string;
  readonly followersCount: number;
  readonly viewerRole: string | null;
  readonly isTest: boolean;
  readonly metadata: { readonly name: string };
}

const CHANNEL = 'id handle followersCount viewerRole isTest metadata { name }';
const INFO = 'totalCount pageInfo { hasNextPage endCursor }';
const OWN = `query CliOwnChannels($first: Int, $after: String) {
  me { channels(first: $first, after: $after) { ${INFO} edges { cursor node { channel { ${CHANNEL} } } } } }
}`;
const FOLLOWED = `query CliFollowedChannels($first: Int, $after: String) {
  me { followedChannels(first: $first, after: $after) { ${INFO} edges { cursor node { ${CHANNEL} } } } }
}`;
const ALL = `query CliChannels($first: Int, $after: String) {
  channels(first: $first, after: $after) { ${INFO} edges { cursor node { ${CHANNEL} } } }
}`;
const ONE = `query CliChannel($id: DID!) { channel(id: $id) {
  ${CHANNEL} isFollowed timeZone websiteUrl createdAt metadata { title summary shortSummary keywords }
  categories: metadata { categories(first: 3) { edges { node { id name } } } }
  keepOriginals encodeHevc encodeAv1 encryptPrivateVideos preferEnhanced
} }`;

type Channels = Connection<ListedChannel>;
type Memberships = Connection<{ readonly channel: ListedChannel }>;

const list = new Command('list')
  .description('List the channels that you are a member of, with your role')
  .addOption(new Option('--followed', 'Channels that you follow').conflicts('all'))
  .option('--all', 'All public channels')
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph channel list', 'reelgraph channel list --followed'))
  .action(async ({ followed = false, all = false, limit }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const page = { limit, signal: context.signal };
    type Data = { readonly me: { readonly followedChannels: Channels }; readonly channels: Channels };
    const everyone: () => Pages<Channels> = () =>
      client.paginate<Channels, Data>(
        all ? ALL : FOLLOWED,
        {},
        (data) => (all ? data.channels : data.me.followedChannels),
        page,
      );
    type Mine = { readonly me: { readonly channels: Memberships } };
    const mine = () => client.paginate<Memberships, Mine>(OWN, {}, ({ me }) => me.channels, page);
    const found = followed || all ? await readList(everyone()) : await readList(mine());
    const channels = found.nodes.map((node) => ('channel' in node ? node.channel : node));
    context.result({ totalCount: found.totalCount, channels }, (out) =>
      out.list(
        channels.map(({ id, handle, viewerRole, followersCount, isTest, metadata }) => [
          id,
          `@${handle}`,
          out.style('cyan', viewerRole ?? ''),
          count(followersCount, 'follower'),
          isTest ? `${metadata.name} (test channel)` : metadata.name,
        ]),
      ),
    );
    noteRest(context, found, followed ? 'You follow no channels.' : 'No channels.');
  });

interface ShownChannel extends ListedChannel {
  readonly isFollowed: boolean;
  readonly timeZone: string;
  readonly websiteUrl: string | null;
  readonly createdAt: string;
  readonly metadata: ListedChannel['metadata'] &
    Readonly<Record<'title' | 'summary' | 'shortSummary', string>> & { readonly keywords: readonly string[] };
  readonly categories: { readonly categories: Connection<{ readonly id: string; readonly name: string }> };
  readonly keepOriginals: boolean;
  readonly encodeHevc: boolean;
  readonly encodeAv1: boolean;
  readonly encryptPrivateVideos: boolean;
  readonly preferEnhanced: boolean;
}

const show = new Command('show')
  .description('Show a channel')
  .argument('[CHANNEL]', 'Handle or identifier of a channel (default: your own)')
  .addHelpText('after', examples('reelgraph channel show', 'reelgraph channel show @studio'))
  .action(async (named, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, named);
    const { channel } = await client.request<{ channel: ShownChannel }>(ONE, { id }, { signal: context.signal });
    const { url } = await context.account();
    const categories = channel.categories.categories.edges.map(({ node }) => node);
    const page = channelAddress(url, channel.id);
    context.result({ ...channel, categories, url: page }, (out) =>
      out.properties([
        ['name', out.style('bold', channel.metadata.name)],
        ['id', channel.id],
        ['handle', `@${channel.handle}`],
        ['title', channel.metadata.title],
        ['your role', channel.viewerRole],
        ['followers', channel.followersCount],
        ['following', channel.isFollowed ? 'yes' : null],
        ['categories', categories.map(({ name }) => name).join(', ')],
        ['keywords', channel.metadata.keywords.join(', ')],
        ['website', channel.websiteUrl],
        ['time zone', channel.timeZone],
        ['created', moment(channel.createdAt)],
        ...settingsOf(channel),
        ['page', page],
      ]),
    );
  });

/** Settings of its videos that are not the default. */
function settingsOf(channel: ShownChannel): [name: string, value: string | null][] {
  return [
    ['originals', channel.keepOriginals ? null : 'deleted after processing'],
    ['also encoded in', [channel.encodeHevc ? 'HEVC' : '', channel.encodeAv1 ? 'AV1' : ''].filter(Boolean).join(', ')],
    ['private videos', channel.encryptPrivateVideos ? 'encrypted' : null],
    ['enhanced quality', channel.preferEnhanced ? 'preferred by players' : null],
  ];
}

/** Channels and their members. */
export const channelCommands: readonly CommandUnknownOpts[] = [
  list,
  show,
  ...channelTexts,
  ...channelChanges,
  ...channelMembers,
  ...channelFollows,
];
