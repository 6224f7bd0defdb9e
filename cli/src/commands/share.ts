import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { contextOf } from '../context.ts';
import { CliError } from '../errors.ts';
import { examples, instant, nameOf, wholeNumberBetween } from '../options.ts';

/** All of them: a content has at most 100 people and 50 links. */
const SHARING = `query ($id: DID!) {
  content(id: $id) {
    shares(first: 100) { edges { node { id email account { username } createdAt } } }
    shareLinks(first: 50) {
      edges { node { id name hasPassword expiresAt maxUses usesCount isUsable lastUsedAt } }
    }
  }
}`;

interface List<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

interface Sharing {
  readonly content: {
    readonly shares: List<{
      readonly id: string;
      readonly email: string | null;
      readonly account: { readonly username: string } | null;
      readonly createdAt: string;
    }> | null;
    readonly shareLinks: List<{
      readonly id: string;
      readonly name: string;
      readonly hasPassword: boolean;
      readonly expiresAt: string | null;
      readonly maxUses: number | null;
      readonly usesCount: number;
      readonly isUsable: boolean;
      readonly lastUsedAt: string | null;
    }> | null;
  };
}

const list = new Command('list')
  .description('List the people and the links that a private content is shared with')
  .argument('<CONTENT>', 'Identifier of a content')
  .addHelpText('after', examples('reelgraph share list did:reelgraph:content/feature/0198c5a0-…'))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const { content } = await client.request<Sharing>(SHARING, { id }, { signal: context.signal });
    if (content.shares === null || content.shareLinks === null)
      throw new CliError('Your role in this channel does not allow this.', 'Ask an editor, a manager or the owner.');
    const people = content.shares.edges.map(({ node }) => node);
    const links = content.shareLinks.edges.map(({ node }) => node);
    context.result({ people, links }, (out) =>
      out.table([
        ...people.map(({ id: share, account, email, createdAt }) => [
          share,
          account ? `@${account.username}` : (email ?? ''),
          `since ${createdAt}`,
        ]),
        ...links.map(({ id: link, name, usesCount, maxUses, isUsable }) => [
          link,
          name === '' ? 'a link' : name,
          `${isUsable ? '' : 'ended, '}opened ${usesCount}${maxUses === null ? '' : ` of ${maxUses}`} times`,
        ]),
      ]),
    );
    if (people.length + links.length === 0) context.note('Not shared with anyone.');
  });

const add = new Command('add')
  .description('Share a private content with a person, who can watch it at once, without a notification')
  .argument('<CONTENT>', 'Identifier of a content')
  .argument('<PERSON>', 'Username or email address')
  .addHelpText(
    'after',
    examples(
      'reelgraph share add did:reelgraph:content/feature/0198c5a0-… @maria',
      'reelgraph share add did:reelgraph:content/feature/0198c5a0-… maria@example.com',
    ),
  )
  .action(async (id, person, _options, command) => {
    const context = contextOf(command);
    const input = person.lastIndexOf('@') > 0 ? { email: person } : { username: nameOf(person) };
    const { share } = await (await context.client()).shareContent({ id, input }, { signal: context.signal });
    context.result({ share }, (out) => out.line(`${out.style('green', '✔')} shared: ${share.id}`));
  });

const remove = new Command('remove')
  .description('End a share; the person can no longer watch')
  .argument('<SHARE>', 'Identifier of a share, from share list')
  .addHelpText('after', examples('reelgraph share remove did:reelgraph:content-share/0198c5a0-…'))
  .action(async (shareId, _options, command) => {
    const context = contextOf(command);
    const { id } = await (await context.client()).unshareContent({ id: shareId }, { signal: context.signal });
    context.result({ id }, (out) => out.line(`${out.style('green', '✔')} removed ${id}`));
  });

const createLink = new Command('create-link')
  .description('Create a link at which a private content can be watched without an account, and print it')
  .argument('<CONTENT>', 'Identifier of a content')
  .option('-n, --name <NAME>', 'Whom it is for')
  .option('-p, --password <PASSWORD>', 'Password that it asks for')
  .option('-e, --expires <TIME>', 'When it expires', instant)
  .option('-u, --max-uses <NUMBER>', 'How often it can be opened', wholeNumberBetween(1, 1_000_000))
  .addHelpText(
    'after',
    examples('reelgraph share create-link did:reelgraph:content/feature/0198c5a0-… --name Jury --max-uses 10'),
  )
  .action(async (content, { name, password, expires, maxUses }, command) => {
    const context = contextOf(command);
    const input = { content, name, password, expiresAt: expires, maxUses };
    const created = await (await context.client()).createShareLink({ input }, { signal: context.signal });
    context.result(created, (out) => out.line(created.url));
    context.note(`Created ${created.shareLink.id}. The link is not shown again.`);
  });

const deleteLink = new Command('delete-link')
  .description('Revoke a link; it no longer opens')
  .argument('<LINK>', 'Identifier of a link, from share list')
  .addHelpText('after', examples('reelgraph share delete-link did:reelgraph:share-link/0198c5a0-…'))
  .action(async (linkId, _options, command) => {
    const context = contextOf(command);
    const { id } = await (await context.client()).deleteShareLink({ id: linkId }, { signal: context.signal });
    context.result({ id }, (out) => out.line(`${out.style('green', '✔')} revoked ${id}`));
  });

/** People and links that private contents are shared with. */
export const shareCommands: readonly CommandUnknownOpts[] = [list, add, remove, createLink, deleteLink];
