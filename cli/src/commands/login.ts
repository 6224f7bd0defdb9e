import { configPath, platformAddress } from '../account.ts';
import { ask, readInput } from '../ask.ts';
import { type Call, clientOf } from '../call.ts';
import type { Command } from '../command.ts';
import { CliError } from '../failures.ts';
import { writePrivate } from '../folders.ts';

/** Keeps address and key, once the platform knows the key. */
export const login: Command = {
  name: 'login',
  about: 'Check an API key and keep it for the calls to come',
  details:
    'Asks for the address of the platform and for the key, which is not shown while it is typed, and keeps both in a file that only you can read. Without a terminal the key is read from the standard input, and the address is taken from --url or REELGRAPH_URL.',
  operands: [],
  options: [],
  examples: ['reelgraph login', 'reelgraph login --url https://video.example.com < key.txt'],
  async run(call) {
    const url = platformAddress(await askAddress(call));
    const key = (process.stdin.isTTY ? await ask('API key (not shown): ', true, call.signal) : await readInput()).trim();
    if (key === '') throw new CliError('There is no key.', 'Copy it from Developer Settings of the studio.');
    const { user, channel, subscription } = await clientOf(url, key).verifyConnection({}, { signal: call.signal });
    const file = configPath(call.env);
    await writePrivate(file, { url, key });
    call.answer({ url, user, channel, subscription, file }, (out) => {
      out.line(`${out.style('green', '✔')} ${user.username} on ${url}, channel ${channel.name}, plan ${subscription.plan}`);
    });
    call.remark(`The key is kept in ${file}.`);
  },
};

async function askAddress(call: Call): Promise<string> {
  const known = call.values.text('url') ?? call.env.REELGRAPH_URL;
  if (known) return known;
  if (process.stdin.isTTY) return ask('Address of the platform: ', false, call.signal);
  throw new CliError('The address of the platform is missing.', 'Give --url, or set REELGRAPH_URL.');
}
