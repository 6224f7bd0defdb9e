import type { ContentConnection, ContentKind, NodeOf } from '../../../client/src/index.ts';
import { CHANNEL_OPTION, type Command, LIMIT_OPTION } from '../command.ts';
import { clock } from '../format.ts';

const KINDS: readonly ContentKind[] = ['FEATURE', 'SHORT', 'SERIE', 'SEASON', 'EPISODE', 'MINISERIE', 'STREAM'];

/** Contents of a channel in every state. */
export const contentList: Command = {
  name: 'content list',
  about: 'List the contents of a channel, the newest first',
  operands: [],
  options: [
    CHANNEL_OPTION,
    LIMIT_OPTION,
    { name: 'kind', short: 'k', value: 'KIND', choices: KINDS, repeated: true, about: 'Only this kind' },
    { name: 'trash', about: 'What was deleted and can be restored' },
  ],
  examples: ['reelgraph content list', 'reelgraph content list --kind SHORT --limit 100 --json', 'reelgraph content list --trash'],
  async run(call) {
    const client = await call.client();
    const id = await call.channel(client);
    const kinds = call.values.texts('kind') as readonly ContentKind[]; // the table allows no other
    const page = { limit: call.limit(), signal: call.signal };
    const list = call.values.flag('trash')
      ? client.channelTrash.all({ id }, page)
      : client.channelContents.all({ id, kinds: kinds.length > 0 ? kinds : undefined }, page);
    let totalCount = 0;
    const contents: NodeOf<ContentConnection>[] = [];
    for await (const { edges, totalCount: all } of list.pages()) {
      totalCount = all;
      contents.push(...edges.map(({ node }) => node));
    }
    call.answer({ totalCount, contents }, (out) =>
      out.table(
        contents.map(({ id: did, status, kind, metadata }) => [
          did,
          out.style(status === 'PUBLISHED' ? 'green' : status === 'FAILED' ? 'red' : 'yellow', status),
          kind,
          clock(metadata.duration),
          metadata.title,
        ]),
      ),
    );
    if (contents.length < totalCount) call.remark(`${contents.length} of ${totalCount}; --limit shows more.`);
    if (totalCount === 0) call.remark('There is nothing yet: `reelgraph upload FILE` begins.');
  },
};
