import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { NodeOf, PlaylistConnection } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { clock } from '../../format.ts';
import { channelOption, examples, limitOption, visibilityOption } from '../../options.ts';
import { printResults } from '../../results.ts';
import { playlistChanges } from './playlist-changes.ts';

const CHANNEL_PLAYLISTS = `query CliPlaylists($id: DID!, $first: Int, $after: String) {
  channel(id: $id) { playlists(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    edges { cursor node { id visibility itemsCount createdAt updatedAt metadata { title summary } } }
  } }
}`;

const list = new Command('list')
  .description('List the playlists of a channel, newest first')
  .addOption(channelOption)
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph playlist list'))
  .action(async ({ channel, limit }, command) => {
    type Data = { readonly channel: { readonly playlists: PlaylistConnection } };
    const context = contextOf(command);
    const client = await context.client();
    const variables = { id: await context.channelIdOrOwn(client, channel) };
    const page = { limit, signal: context.signal };
    const found = client.paginate<PlaylistConnection, Data>(
      CHANNEL_PLAYLISTS,
      variables,
      (data) => data.channel.playlists,
      page,
    );
    const playlists: NodeOf<PlaylistConnection>[] = await found.toArray();
    context.result({ playlists }, (out) =>
      out.list(
        playlists.map(({ id, visibility, itemsCount, metadata }) => [
          id,
          visibility,
          String(itemsCount),
          metadata.title,
        ]),
      ),
    );
    if (playlists.length === 0) context.note('No playlists.');
  });

const show = new Command('show')
  .description('Show a playlist and its items')
  .argument('<PLAYLIST>', 'Identifier of a playlist')
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph playlist show did:reelgraph:content/playlist/0198c5a0-…'))
  .action(async (id, { limit }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const playlist = await client.playlist({ id }, { signal: context.signal });
    const items = await client.playlistItems.all({ id }, { limit, signal: context.signal }).toArray();
    context.result({ ...playlist, items }, (out) => {
      out.line(`${out.style('bold', playlist.metadata.title)} (${playlist.visibility}, ${playlist.itemsCount} items)`);
      out.list(
        items.map(({ id: item, content }) => [
          item,
          clock(content?.metadata.duration ?? null),
          content?.metadata.title ?? '(unavailable)',
        ]),
      );
    });
  });

const create = new Command('create')
  .description('Create an empty playlist')
  .argument('<TITLE>', 'Its title')
  .addOption(channelOption)
  .option('--summary <TEXT>', 'Description')
  .addOption(visibilityOption)
  .addHelpText('after', examples('reelgraph playlist create "Best of the year" --visibility UNLISTED'))
  .action(async (title, { channel, summary, visibility }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const input = { title, summary, visibility };
    const variables = { input, channel: await context.channelId(client, channel) };
    const playlist = await client.createPlaylist(variables, { signal: context.signal });
    context.result(playlist, (out) =>
      out.line(`${out.style('green', '✔')} created ${playlist.metadata.title}: ${playlist.id}`),
    );
  });

const add = new Command('add')
  .description('Add contents to the end of a playlist, in this order')
  .argument('<PLAYLIST>', 'Identifier of a playlist')
  .argument('<CONTENT...>', 'Identifiers of contents')
  .addHelpText(
    'after',
    examples(
      'reelgraph playlist add did:reelgraph:content/playlist/0198c5a0-… did:reelgraph:content/feature/0198c5a1-…',
    ),
  )
  .action(async (id, contentIds, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    printResults(
      context,
      await client.addPlaylistItems({ id, input: { contentIds } }, { signal: context.signal }),
      'added',
    );
  });

const remove = new Command('remove')
  .description('Remove items from a playlist; the contents stay')
  .argument('<PLAYLIST>', 'Identifier of a playlist')
  .argument('<ITEM...>', 'Identifiers of items, as listed by `playlist show`')
  .addHelpText(
    'after',
    examples(
      'reelgraph playlist remove did:reelgraph:content/playlist/0198c5a0-… did:reelgraph:playlist-item/0198c5a2-…',
    ),
  )
  .action(async (id, itemIds, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    printResults(
      context,
      await client.removePlaylistItems({ id, input: { itemIds } }, { signal: context.signal }),
      'removed',
    );
  });

/** Playlists of a channel. */
export const playlistCommands: readonly CommandUnknownOpts[] = [list, show, create, ...playlistChanges, add, remove];
