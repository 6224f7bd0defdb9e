import type { Client, Content } from '../../../client/src/index.ts';
import type { Call } from '../call.ts';
import type { Command, Option } from '../command.ts';

/** Does something to one content; null when nothing of it is left to be shown. */
type Change = (client: Client, id: string, call: Call) => Promise<Content | null>;

const RELEASE: Option = { name: 'release', value: 'TIME', about: 'When to publish, such as 2030-01-31T18:00:00Z; at once when left out' };

/** Commands that do something to contents, one after the other. */
export const CONTENT_CHANGES: readonly Command[] = [
  change('publish', 'Publish contents that are ready, at once or later', 'published', [RELEASE], (client, id, call) => {
    const releaseDate = call.values.time('release');
    return client.publishContent({ id, ...(releaseDate === undefined ? {} : { releaseDate }) }, { signal: call.signal });
  }),
  change('unpublish', 'Take contents back from the public', 'unpublished', [], (client, id, { signal }) =>
    client.unpublishContent({ id }, { signal }),
  ),
  change('delete', 'Move contents to the trash, where they stay for 30 days', 'deleted', [], async (client, id, { signal }) => {
    await client.deleteContent({ id }, { signal });
    return null;
  }),
  change('restore', 'Take contents out of the trash', 'restored', [], (client, id, { signal }) =>
    client.restoreContent({ id }, { signal }),
  ),
];

function change(verb: string, about: string, done: string, options: readonly Option[], apply: Change): Command {
  return {
    name: `content ${verb}`,
    about,
    operands: [{ name: 'CONTENT', about: 'Identifiers of contents', isRepeated: true }],
    options,
    examples: [`reelgraph content ${verb} did:reelgraph:content/feature/0198c5a0-…`],
    async run(call) {
      const client = await call.client();
      const contents: { readonly id: string; readonly status: string | null; readonly title: string | null }[] = [];
      for (const id of call.values.operands) {
        const content = await apply(client, id, call);
        contents.push({ id, status: content?.status ?? null, title: content?.metadata.title ?? null });
        if (!call.isJson) call.out.line(`${call.out.style('green', '✔')} ${done} ${content?.metadata.title ?? id}`);
      }
      if (call.isJson) call.answer({ contents }, () => {});
    },
  };
}
