import { writeFile } from 'node:fs/promises';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { contextOf } from '../context.ts';
import { CliError } from '../errors.ts';
import { readTextFile } from '../files.ts';
import { channelOption, examples } from '../options.ts';

const ALGORITHMS = ['EDDSA', 'RS256'] as const;
/** A channel has fewer. */
const ALL = 100;

const list = new Command('list')
  .description('List the signing keys of a channel, newest first')
  .addOption(channelOption)
  .addHelpText('after', examples('reelgraph signing-key list'))
  .action(async ({ channel }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const variables = { channel: await context.channelIdOrOwn(client, channel), first: ALL };
    const found = await client.signingKeys(variables, { signal: context.signal });
    const signingKeys = found?.edges.map(({ node }) => node) ?? [];
    context.result({ signingKeys }, (out) =>
      out.list(
        signingKeys.map(({ id, algorithm, lastUsedAt, description }) => [
          id,
          algorithm,
          lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`,
          description,
        ]),
      ),
    );
    if (signingKeys.length === 0) context.note('No signing keys.');
  });

const create = new Command('create')
  .description('Create a key with which your site signs playback tokens')
  .addOption(channelOption)
  .option('-d, --description <TEXT>', 'Where it is used')
  .addOption(new Option('-a, --algorithm <ALGORITHM>', 'Algorithm of a new key pair').choices(ALGORITHMS))
  .option('-o, --out <FILE>', 'Write the private key to a new file that only you can read, instead of printing it')
  .addOption(
    new Option('--public-key <FILE>', 'Use this public key (PEM), whose private half stays with you').conflicts([
      'algorithm',
      'out',
    ]),
  )
  .addHelpText(
    'after',
    examples(
      'reelgraph signing-key create --description "Our shop" --out playback.pem',
      'reelgraph signing-key create --public-key public.pem',
    ),
  )
  .action(async ({ channel, description, algorithm, out: file, publicKey: publicFile }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const publicKey = publicFile === undefined ? undefined : await readTextFile(publicFile);
    const input = {
      ...{ description, algorithm, publicKey },
      channel: await context.channelIdOrOwn(client, channel),
    };
    const created = await client.createSigningKey({ input }, { signal: context.signal });
    const { signingKey, privateKey } = created;
    if (file !== undefined && privateKey !== null) {
      await writePrivateKey(file, privateKey).catch(async (error: unknown) => {
        await client.deleteSigningKey({ id: signingKey.id }, { signal: context.signal });
        throw error;
      });
    }
    const shown = file === undefined ? created : { signingKey };
    context.result(shown, (out) => {
      out.line(`${out.style('green', '✔')} created ${signingKey.id}`);
      if (file === undefined && privateKey !== null) out.line(privateKey.trimEnd());
    });
    if (privateKey !== null)
      context.note(file === undefined ? 'The private key is not shown again.' : `Wrote the private key to ${file}.`);
  });

/** Throws CliError when the file exists or cannot be written. */
async function writePrivateKey(file: string, privateKey: string): Promise<void> {
  await writeFile(file, privateKey, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const reason = exists ? 'it exists already' : error instanceof Error ? error.message : String(error);
    throw new CliError(`${file} cannot be written: ${reason}.`, 'Name another file. The new key was deleted again.');
  });
}

const remove = new Command('delete')
  .description('Delete a signing key; its tokens stop working at once')
  .argument('<KEY>', 'Identifier of a signing key')
  .addHelpText('after', examples('reelgraph signing-key delete did:reelgraph:signing-key/0198c5a0-…'))
  .action(async (keyId, _options, command) => {
    const context = contextOf(command);
    const { id } = await (await context.client()).deleteSigningKey({ id: keyId }, { signal: context.signal });
    context.result({ id }, (out) => out.line(`${out.style('green', '✔')} deleted ${id}`));
  });

/** Keys with which a site signs playback tokens. */
export const signingKeyCommands: readonly CommandUnknownOpts[] = [list, create, remove];
