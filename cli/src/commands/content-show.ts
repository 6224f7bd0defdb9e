import { CONTENT_OPERAND, type Command } from '../command.ts';
import { clock, watchAddress } from '../format.ts';

/** One content. */
export const contentShow: Command = {
  name: 'content show',
  about: 'Show one content',
  operands: [CONTENT_OPERAND],
  options: [],
  examples: ['reelgraph content show did:reelgraph:content/feature/0198c5a0-…'],
  async run(call) {
    const client = await call.client();
    const content = await client.content({ id: call.values.first }, { signal: call.signal });
    const { url } = await call.account();
    const { metadata } = content;
    call.answer({ ...content, url: watchAddress(url, content.id) }, (out) =>
      out.facts([
        ['title', out.style('bold', metadata.title)],
        ['id', content.id],
        ['kind', content.kind],
        ['status', content.status],
        ['visibility', metadata.visibility],
        ['channel', content.channel.metadata.name],
        ['length', clock(metadata.duration)],
        ['views', content.viewCount],
        ['likes', content.likes.count],
        ['comments', content.commentCount],
        ['keywords', metadata.keywords.join(', ')],
        ['created', content.createdAt],
        ['published', content.publishedAt],
        ['in the trash until', content.purgeAt],
        ['page', watchAddress(url, content.id)],
        ['hints', content.hints.join(' ')],
      ]),
    );
  },
};
