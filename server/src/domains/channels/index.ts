/** What other domains and the composition root may see of channels. */
export { judgeChannelChange } from './channel.policy.ts';
export { type ChannelTypes, declareChannels, isOwnChannel } from './channel.graphql.ts';
export { isChannelOwnedBy } from './channels.store.ts';
export { requireAccount } from './require-account.ts';
export type { ChannelsServices } from './services.ts';
