import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Client } from '../../../clients/typescript/src/index.ts';
import { type CommandContext, contextOf } from '../context.ts';
import { CliError } from '../errors.ts';
import { examples } from '../options.ts';

/** An account has at most as many. */
const ALL = 100;
const DAY_MS = 86_400_000;

const list = new Command('list')
  .description('List the scoped tokens of the account, newest first')
  .addHelpText('after', examples('reelgraph token list'))
  .action(async (_options, command) => {
    const context = contextOf(command);
    const tokens = await tokensOf(context, await context.client());
    context.result({ tokens }, (out) =>
      out.table(
        tokens.map(({ id, name, hint, permissions, channels, isTest, expiresAt, lastUsedAt }) => [
          id,
          name,
          hint,
          permissions.join(','),
          isTest ? 'test mode' : scopeOf(channels),
          expiryOf(expiresAt),
          lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`,
        ]),
      ),
    );
    if (tokens.length === 0) context.note('No tokens.');
  });

const create = new Command('create')
  .description('Create a token with some of the permissions of your API key, and print it')
  .requiredOption('-n, --name <NAME>', 'What uses it; unique in the account')
  .requiredOption('-p, --permissions <PERMISSIONS...>', 'Its permissions, such as content:create asset:upload')
  .option('-c, --channels <CHANNELS...>', 'Only for these channels, by handle or identifier')
  .option('-t, --test', 'Only for the test channel, which nobody else sees; what is made is deleted after 24 hours')
  .option('-e, --expires-in <DAYS>', 'Expires after this many days; otherwise it does not', readDays)
  .addHelpText(
    'after',
    examples(
      'reelgraph token create --name "Upload script" --permissions content:create content:publish asset:upload',
      'reelgraph token create --name Reports --permissions analytics:read --channels @news --expires-in 90',
      'reelgraph token create --name CI --test --permissions content:create content:publish asset:upload',
    ),
  )
  .action(async ({ name, permissions, channels, test, expiresIn }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const ids = channels && (await Promise.all(channels.map((channel) => channelIdOf(context, client, channel))));
    const expiresAt = expiresIn === undefined ? undefined : new Date(Date.now() + expiresIn * DAY_MS).toISOString();
    // Both forms are common: separate words, and one list with commas.
    const names = permissions.flatMap((each) => each.split(',')).filter((each) => each !== '');
    const input = { name, permissions: names, channels: ids, test, expiresAt };
    const { value, token } = await client.createToken({ input }, { signal: context.signal });
    context.result({ value, token }, (out) => out.line(value));
    context.note(`Created ${token.id}, which ${expiryOf(token.expiresAt)}. The token is not shown again.`);
  });

const revoke = new Command('revoke')
  .description('Revoke a token; it stops working at once')
  .argument('<TOKEN>', 'Identifier or name of a token')
  .addHelpText('after', examples('reelgraph token revoke "Upload script"'))
  .action(async (named, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const tokenId = named.startsWith('did:') ? named : await idOf(context, client, named);
    const { id } = await client.revokeToken({ id: tokenId }, { signal: context.signal });
    context.result({ id }, (out) => out.line(`${out.style('green', '✔')} revoked ${id}`));
  });

/** Scoped tokens of the account; for its API key, not for tokens. */
export const tokenCommands: readonly CommandUnknownOpts[] = [list, create, revoke];

async function tokensOf(context: CommandContext, client: Client) {
  const { edges } = await client.tokens({ first: ALL }, { signal: context.signal });
  return edges.map(({ node }) => node);
}

/** Identifier of the token with this name. Throws CliError without one. */
async function idOf(context: CommandContext, client: Client, name: string): Promise<string> {
  const tokens = await tokensOf(context, client);
  const found = tokens.find((token) => token.name.toLowerCase() === name.toLowerCase());
  if (!found) throw new CliError(`There is no token named "${name}".`, 'Run `reelgraph token list` for their names.');
  return found.id;
}

async function channelIdOf(context: CommandContext, client: Client, channel: string): Promise<string> {
  return (await context.channelId(client, channel)) ?? channel;
}

function scopeOf(channels: readonly string[] | null): string {
  return channels === null ? 'all channels' : `${channels.length} channel${channels.length === 1 ? '' : 's'}`;
}

function expiryOf(expiresAt: string | null): string {
  return expiresAt === null ? 'does not expire' : `expires ${expiresAt}`;
}

function readDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1) throw new InvalidArgumentError('It must be a whole number of days.');
  return days;
}
