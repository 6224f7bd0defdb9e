import { Command } from '@commander-js/extra-typings';
import { configPath, platformAddress } from '../account.ts';
import { type CommandContext, clientFor, contextOf } from '../context.ts';
import { CliError } from '../errors.ts';
import { writePrivate } from '../folders.ts';
import { examples } from '../options.ts';
import { prompt, readStdin } from '../prompt.ts';

/** Saves address and key once the platform has accepted the key. */
export const login = new Command('login')
  .summary('Check an API key and save it')
  .description(
    'Check an API key and save it. Asks for the address of the platform and for the key, which is not ' +
      'echoed, and saves both in a file that only you can read. Without a terminal the key is read from ' +
      'standard input, and the address comes from --url or REELGRAPH_URL.',
  )
  .addHelpText('after', examples('reelgraph login', 'reelgraph login --url https://video.example.com < key.txt'))
  .action(async (_options, command) => {
    const context = contextOf(command);
    const url = platformAddress(await readAddress(context));
    const key = (
      process.stdin.isTTY ? await prompt('API key (not shown): ', true, context.signal) : await readStdin()
    ).trim();
    if (key === '') throw new CliError('The API key is empty.', 'Copy it from Developer Settings in the studio.');
    const { user, channel, subscription } = await clientFor(url, key).verifyConnection({}, { signal: context.signal });
    const file = configPath(context.env);
    await writePrivate(file, { url, key });
    context.result({ url, user, channel, subscription, file }, (out) => {
      out.line(
        `${out.style('green', '✔')} ${user.username} on ${url}, channel ${channel.name}` +
          (subscription.plan === null ? '' : `, plan ${subscription.plan}`),
      );
    });
    context.note(`The key is saved in ${file}.`);
  });

async function readAddress({ url, env, signal }: CommandContext): Promise<string> {
  const known = url ?? env.REELGRAPH_URL;
  if (known) return known;
  if (process.stdin.isTTY) return prompt('Address of the platform: ', false, signal);
  throw new CliError('The address of the platform is missing.', 'Pass --url, or set REELGRAPH_URL.');
}
