/** What other domains and the composition root may see of channels. */

export { type ChannelTypes, declareChannels, isOwnChannel } from './channel.graphql.ts';
export { judgeChannelChange } from './channel.policy.ts';
export { isChannelOwnedBy } from './channels.store.ts';
export { requireAccount } from './require-account.ts';
