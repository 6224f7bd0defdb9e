import { Command } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { clock } from '../../format.ts';
import { examples } from '../../options.ts';

/** One content. */
export const contentShow = new Command('show')
  .description('Show one content')
  .argument('<CONTENT>', 'Identifier of a content')
  .addHelpText('after', examples('reelgraph content show did:reelgraph:content/feature/0198c5a0-…'))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const content = await client.content({ id }, { signal: context.signal });
    const { metadata } = content;
    context.result({ ...content, url: content.shortUrl }, (out) =>
      out.properties([
        ['title', out.style('bold', metadata.title)],
        ['id', content.id],
        ['kind', content.kind],
        ['status', content.status],
        ['visibility', metadata.visibility],
        ['channel', content.channel.metadata.name],
        ['duration', clock(metadata.duration)],
        ['views', content.viewCount],
        ['likes', content.likes.count],
        ['comments', content.commentCount],
        ['keywords', metadata.keywords.join(', ')],
        ['created', content.createdAt],
        ['published', content.publishedAt],
        [content.deletedAt === null ? 'deleted' : 'in the trash until', content.purgeAt],
        ['page', content.shortUrl],
        ['hints', content.hints.map(({ type }) => type).join(' ')],
      ]),
    );
  });
