import type { BatchResult, NodeOf, PlaylistConnection, Visibility } from '../../../client/src/index.ts';
import type { Call } from '../call.ts';
import { CHANNEL_OPTION, type Command, LIMIT_OPTION, type Operand } from '../command.ts';
import { exitCodeOf, Told } from '../failures.ts';
import { clock } from '../format.ts';

const PLAYLIST: Operand = { name: 'PLAYLIST', about: 'Identifier of a playlist' };

const CHANNEL_PLAYLISTS = `query CliPlaylists($id: DID!, $first: Int, $after: String) { channel(id: $id) { playlists(first: $first, after: $after) {
  totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id visibility itemsCount createdAt updatedAt metadata { title summary } } }
} } }`;

const list: Command = {
  name: 'playlist list',
  about: 'List the playlists of a channel, the newest first',
  operands: [],
  options: [CHANNEL_OPTION, LIMIT_OPTION],
  examples: ['reelgraph playlist list'],
  async run(call) {
    type Found = { readonly channel: { readonly playlists: PlaylistConnection } };
    const client = await call.client();
    const variables = { id: await call.channel(client) };
    const page = { limit: call.limit(), signal: call.signal };
    const found = client.paginate<PlaylistConnection, Found>(CHANNEL_PLAYLISTS, variables, ({ channel }) => channel.playlists, page);
    const playlists: NodeOf<PlaylistConnection>[] = await found.toArray();
    call.answer({ playlists }, (out) =>
      out.table(playlists.map(({ id, visibility, itemsCount, metadata }) => [id, visibility, String(itemsCount), metadata.title])),
    );
    if (playlists.length === 0) call.remark('There are none.');
  },
};

const show: Command = {
  name: 'playlist show',
  about: 'Show a playlist and what is in it',
  operands: [PLAYLIST],
  options: [LIMIT_OPTION],
  examples: ['reelgraph playlist show did:reelgraph:content/playlist/0198c5a0-…'],
  async run(call) {
    const client = await call.client();
    const id = call.values.first;
    const playlist = await client.playlist({ id }, { signal: call.signal });
    const items = await client.playlistItems.all({ id }, { limit: call.limit(), signal: call.signal }).toArray();
    call.answer({ ...playlist, items }, (out) => {
      out.line(`${out.style('bold', playlist.metadata.title)} (${playlist.visibility}, ${playlist.itemsCount} items)`);
      out.table(
        items.map(({ id: item, content }) => [item, clock(content?.metadata.duration ?? null), content?.metadata.title ?? '(gone)']),
      );
    });
  },
};

const create: Command = {
  name: 'playlist create',
  about: 'Make an empty playlist',
  operands: [{ name: 'TITLE', about: 'Its title' }],
  options: [
    CHANNEL_OPTION,
    { name: 'summary', value: 'TEXT', about: 'What it is about' },
    { name: 'visibility', value: 'VISIBILITY', choices: ['PUBLIC', 'UNLISTED', 'PRIVATE'], about: 'Who finds it' },
  ],
  examples: ['reelgraph playlist create "Best of the year" --visibility UNLISTED'],
  async run(call) {
    const client = await call.client();
    const channel = await call.namedChannel(client);
    const [summary, visibility] = [call.values.text('summary'), call.values.choice<Visibility>('visibility')];
    const input = { title: call.values.first, summary, visibility };
    const playlist = await client.createPlaylist({ input, channel }, { signal: call.signal });
    call.answer(playlist, (out) => out.line(`${out.style('green', '✔')} made ${playlist.metadata.title}: ${playlist.id}`));
  },
};

const add: Command = {
  name: 'playlist add',
  about: 'Add contents to the end of a playlist, in the order given',
  operands: [PLAYLIST, { name: 'CONTENT', about: 'Identifiers of contents', isRepeated: true }],
  options: [],
  examples: ['reelgraph playlist add did:reelgraph:content/playlist/0198c5a0-… did:reelgraph:content/feature/0198c5a1-…'],
  async run(call) {
    const [id = '', ...contentIds] = call.values.operands;
    const payload = await (await call.client()).addPlaylistItems({ id, input: { contentIds } }, { signal: call.signal });
    tellResults(call, payload, 'added');
  },
};

const remove: Command = {
  name: 'playlist remove',
  about: 'Remove items from a playlist; the contents stay',
  operands: [PLAYLIST, { name: 'ITEM', about: 'Identifiers of items, as `playlist show` lists them', isRepeated: true }],
  options: [],
  examples: ['reelgraph playlist remove did:reelgraph:content/playlist/0198c5a0-… did:reelgraph:playlistitem/0198c5a2-…'],
  async run(call) {
    const [id = '', ...itemIds] = call.values.operands;
    const payload = await (await call.client()).removePlaylistItems({ id, itemIds }, { signal: call.signal });
    tellResults(call, payload, 'removed');
  },
};

/** Tells what became of each; the exit code is the one of the first that failed. */
function tellResults(call: Call, payload: { readonly results: readonly BatchResult[] }, done: string): void {
  call.answer(payload, (out) => {
    for (const { id, error } of payload.results)
      out.line(
        error ? `${out.style('red', '✖')} ${id}: ${error.message} ${error.suggestedFix}` : `${out.style('green', '✔')} ${done} ${id}`,
      );
  });
  const failed = payload.results.find(({ error }) => error !== null)?.error;
  if (failed) throw new Told(exitCodeOf(failed.code));
}

/** Playlists of a channel. */
export const PLAYLISTS: readonly Command[] = [list, show, create, add, remove];
