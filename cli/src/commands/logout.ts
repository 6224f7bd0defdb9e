import { configPath } from '../account.ts';
import type { Command } from '../command.ts';
import { forget } from '../folders.ts';

/** Forgets what `login` kept. */
export const logout: Command = {
  name: 'logout',
  about: 'Forget the address and the key that were kept',
  details: 'The key stays valid: regenerate it in Developer Settings of the studio if somebody else may have it.',
  operands: [],
  options: [],
  examples: ['reelgraph logout'],
  async run(call) {
    const isForgotten = await forget(configPath(call.env));
    call.answer({ loggedOut: isForgotten }, (out) => out.line(isForgotten ? 'The key is forgotten here.' : 'No key was kept.'));
  },
};
