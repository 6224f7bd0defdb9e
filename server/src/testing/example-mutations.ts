import { randomUUID } from 'node:crypto';
import { makeOperatorCode } from '../domains/accounts/index.ts';
import type { Person } from '../domains/catalog/testing.ts';
import { newId } from '../kernel/ids.ts';
import type { SeedData } from './seed-data.ts';

/** Arguments of a mutation for one call by `me`, with newly created objects. */
export type Prepare = (fixture: SeedData, me: Person) => Promise<string> | string;

const CAPTIONS = '1\\n00:00:01,000 --> 00:00:02,000\\nHello\\n';
/** In twenty-four hours. */
const tomorrow = ({ catalog }: SeedData) => new Date(catalog.clock.now() + 86_400_000).toISOString();
const CONTENT_FILE = 'filename: "a.mp4", size: 1000, video: { hint: NONE }';

/**
 * Mutations by name: every one has an entry, so that new ones are called as every persona. Access that depends on more
 * than the role has several named cases; the first is the example of the documentation.
 */
export const MUTATIONS: Readonly<Record<string, Prepare | Readonly<Record<string, Prepare>>>> = {
  createChannelAsset: ({ owner }) =>
    `id: "${owner.channel}", input: { filename: "a.png", size: 1000, image: { hint: AVATAR } }`,
  createContent: ({ owner }) => `channel: "${owner.channel}", input: { title: "New" }`,
  createContentAsset: {
    video: async (w) => `id: "${await w.content({ status: 'READY' })}", input: { ${CONTENT_FILE} }`,
    image: async (w) =>
      `id: "${await w.content()}", input: { filename: "a.png", size: 1000, image: { hint: THUMBNAIL } }`,
  },
  trimContentVideo: async (w) =>
    `id: "${await w.video()}", input: { keep: [{ startMs: 2500, endMs: 30000 }, { startMs: 35000, endMs: 60000 }] }`,
  revertContentVideo: async (w) => `id: "${await w.trimmed()}"`,
  createClip: {
    video: async (w) =>
      `input: { content: "${await w.video()}", startMs: 10000, endMs: 25000, title: "The best part" }`,
    broadcast: async (w) =>
      `input: { content: "${await w.broadcast()}", startMs: 1000, endMs: 4000, title: "The last seconds" }`,
  },
  replaceContentVideo: async (w) => `id: "${await w.content()}", input: { filename: "b.mp4", size: 1000 }`,
  updateContent: async (w) => `id: "${await w.content()}", input: { title: "Changed" }`,
  publishContent: async (w) => `id: "${await w.content({ status: 'READY' })}"`,
  unpublishContent: async (w) => `id: "${await w.content()}"`,
  deleteContent: async (w) => `id: "${await w.content()}"`,
  restoreContent: {
    'in the trash': async (w) => `id: "${await w.trashed()}"`,
    'not in the trash': async (w) => `id: "${await w.content()}"`,
  },
  createContentCaptions: async (w) => `id: "${await w.content()}", input: { language: "en", text: "${CAPTIONS}" }`,
  updateContentCaptions: async (w) => `id: "${await w.captions()}", input: { label: "Changed" }`,
  deleteContentCaptions: async (w) => `id: "${await w.captions()}"`,
  setContentThumbnail: async (w) => {
    const { content, image } = await w.image();
    return `id: "${content}", input: { imageId: "${image}" }`;
  },
  startContentTest: async (w) =>
    `id: "${await w.content()}", input: { variants: [{ title: "Another title" }], applyWinner: true }`,
  stopContentTest: async (w) => `id: "${(await w.contentTest()).content}"`,
  applyContentTestVariant: async (w) => {
    const { content, variant } = await w.contentTest();
    return `id: "${content}", input: { variant: "${variant}" }`;
  },
  setContentChapters: async (w) => `id: "${await w.content()}", input: { chapters: [] }`,
  cancelServerJob: async (w) => `id: "${await w.job()}"`,
  retryServerJob: async (w) => `id: "${await w.failedJob()}"`,
  cancelJob: async (w) => `id: "${await w.job()}"`,
  purgeContent: {
    'in the trash': async (w) => `id: "${await w.trashed()}"`,
    'not in the trash': async (w) => `id: "${await w.content()}"`,
  },
  createChannel: () => `input: { name: "New", handle: "new-${newId().slice(-12)}" }`,
  deleteChannel: async (w) => `id: "${await w.channel()}"`,
  updateProfile: () => 'input: { displayName: "New" }',
  updateSettings: () => 'input: { keepHistory: false }',
  transferChannel: async (w) => `id: "${await w.channel()}", input: { username: "the_manager" }`,
  inviteChannelMember: {
    'no member': async (w) => `id: "${w.owner.channel}", input: { username: "${await w.account()}", role: VIEWER }`,
    'the owner': async (w) => `id: "${await w.channel()}", input: { username: "olivia", role: VIEWER }`,
  },
  withdrawChannelInvitation: async (w) => `id: "${await w.channelInvitation()}"`,
  acceptChannelInvitation: {
    'to oneself': async (w, me) => `id: "${await w.channelInvitation(me)}"`,
    'to another': async (w) => `id: "${await w.channelInvitation()}"`,
  },
  declineChannelInvitation: {
    'to oneself': async (w, me) => `id: "${await w.channelInvitation(me)}"`,
    'to another': async (w) => `id: "${await w.channelInvitation()}"`,
  },
  updateChannelMember: {
    'another member': async (w) => `id: "${await w.channel()}", input: { username: "the_application", role: EDITOR }`,
    'the owner': async (w) => `id: "${await w.channel()}", input: { username: "olivia", role: EDITOR }`,
  },
  removeChannelMember: {
    'no member': async (w) => `id: "${w.owner.channel}", input: { username: "${await w.account()}" }`,
    'another member': async (w) => `id: "${await w.channel()}", input: { username: "the_application" }`,
    'the owner': async (w) => `id: "${await w.channel()}", input: { username: "olivia" }`,
    oneself: async (w, me) => `id: "${await w.channel()}", input: { username: "${me.username}" }`,
  },
  publishContents: async (w) => `ids: ["${await w.content({ status: 'READY' })}"]`,
  deleteContents: async (w) => `ids: ["${await w.content()}"]`,
  updateContents: async (w) => `input: { items: [{ id: "${await w.content()}", changes: { title: "Changed" } }] }`,
  setChannelCategories: ({ owner }) => `id: "${owner.channel}", input: { categories: [] }`,
  updateChannel: ({ owner }) => `id: "${owner.channel}", input: { summary: "Changed" }`,
  upmixContent: async (w) => `id: "${await w.processed()}", input: { layout: SURROUND_7_1 }`,
  createContentWaveform: async (w) => `id: "${await w.processed()}"`,
  transcribeContent: async (w) => `id: "${await w.processed()}"`,
  translateCaptions: async (w) => `id: "${await w.processed()}", input: { from: "en", to: "de" }`,
  removeUpmix: async (w) => `id: "${await w.processed()}"`,
  upscaleContent: async (w) => `id: "${await w.processed()}", input: { target: 1440 }`,
  removeUpscale: async (w) => `id: "${await w.processed()}"`,
  submitContentForProcessing: async (w) => `id: "${await w.uploaded()}"`,
  finalizeContentUpload: async (w) => `input: { contentId: "${await w.uploaded()}" }`,
  waitForProcessing: async (w) => `input: { contentId: "${await w.content()}", timeoutSeconds: 1 }`,
  trackEngagement: async (w) =>
    `input: { events: [{ kind: START, contentId: "${await w.content({ status: 'PUBLISHED' })}", ` +
    `sessionId: "${randomUUID()}", seq: 0, occurredAt: ` +
    `"${new Date(w.catalog.clock.now()).toISOString()}", positionMs: 0 }] }`,
  createSeries: ({ owner }) => `input: { channel: "${owner.channel}", title: "New" }`,
  createMiniseries: ({ owner }) => `input: { channel: "${owner.channel}", title: "New" }`,
  createStream: ({ owner }) => `input: { channel: "${owner.channel}", title: "New" }`,
  createSeason: async (w) => `input: { series: "${(await w.series()).serie}", title: "New" }`,
  createEpisode: async (w) => `input: { parent: "${(await w.series()).season}", title: "New" }`,
  moveSeason: async (w) => `id: "${(await w.series()).season}", input: { number: 7 }`,
  moveEpisode: async (w) => `id: "${(await w.series()).episode}", input: { number: 7 }`,
  renumberSeasons: async (w) => `id: "${(await w.series()).serie}"`,
  renumberEpisodes: async (w) => `id: "${(await w.series()).season}"`,
  predictVirality: {
    'own channel': () =>
      'input: { title: "Why cats land on their feet", description: "Twelve ' +
      'jumps in slow motion.", category: "Science and technology" }',
    'given channel': ({ owner }) => `input: { title: "Why cats land on their feet", channel: "${owner.channel}" }`,
  },
  generateApiKey: () => '',
  revealApiKey: () => '',
  regenerateApiKey: () => '',
  startTrial: () => '',
  startCheckout: () => 'input: { plan: PREMIUM_PLUS, interval: MONTHLY }',
  openBillingPortal: async (w, me) => {
    await w.paymentCustomer(me);
    return '';
  },
  requestAccountArchive: () => 'input: { password: "correct horse" }',
  claimOperator: async (w) => `input: { code: "${await makeOperatorCode(w.catalog.platform)}" }`,
  createInvitation: () => 'input: { email: "guest@example.com", note: "For the guest" }',
  revokeInvitation: async (w) => `id: "${await w.invitation()}"`,
  suspendAccount: async (w) => `id: "${await w.newAccount()}", input: { reason: "Published spam." }`,
  reinstateAccount: async (w) => `id: "${await w.newAccount()}"`,
  sendPasswordReset: async (w) => `id: "${await w.newAccount()}"`,
  setAccountPlan: async (w) => `id: "${await w.newAccount()}", input: { plan: CREATOR_PLUS }`,
  createToken: ({ owner }) =>
    `input: { name: "Upload script ${newId().slice(-12)}", permissions: ["content:create", "asset:upload"], ` +
    `channels: ["${owner.channel}"] }`,
  revokeToken: async (w, me) => `id: "${await w.token(me)}"`,
  setKeyBudgets: () => 'input: { deletesPerDay: 10 }',
  createSigningKey: ({ owner }) => `input: { channel: "${owner.channel}", description: "The shop" }`,
  deleteSigningKey: async (w) => `id: "${await w.signingKey()}"`,
  shareContent: async (w) =>
    `id: "${await w.content({ status: 'PUBLISHED', visibility: 'PRIVATE' })}", input: { email: "viewer@example.com" }`,
  unshareContent: async (w) => `id: "${await w.contentShare()}"`,
  createShareLink: async (w) =>
    `input: { content: "${await w.content({ status: 'PUBLISHED', visibility: 'PRIVATE' })}", name: "Reviewers", ` +
    'password: "blue-harbour", maxUses: 10 }',
  deleteShareLink: async (w) => `id: "${await w.shareLink()}"`,
  createLiveInput: ({ owner }) => `input: { channel: "${owner.channel}", name: "Studio camera" }`,
  updateLiveInput: async (w) => `id: "${await w.liveInput()}", input: { visibility: UNLISTED }`,
  deleteLiveInput: async (w) => `id: "${await w.liveInput()}"`,
  rotateLiveInputKey: async (w) => `id: "${await w.liveInput()}"`,
  createSimulcastTarget: async (w) =>
    `input: { liveInput: "${await w.liveInput()}", name: "Other service", url: "rtmp://1.1.1.1/live", ` +
    'streamKey: "key-of-the-other-service" }',
  updateSimulcastTarget: async (w) => `id: "${await w.simulcastTarget()}", input: { isEnabled: false }`,
  deleteSimulcastTarget: async (w) => `id: "${await w.simulcastTarget()}"`,
  startBroadcast: {
    'with an encoder': async (w) => `id: "${await w.previewed()}"`,
    'without an encoder': async (w) => `id: "${await w.liveInput()}"`,
  },
  endBroadcast: {
    live: async (w) => `id: "${await w.broadcast()}"`,
    'not live': async (w) => `id: "${await w.content({ kind: 'STREAM', status: 'PUBLISHED' })}"`,
  },
  scheduleStream: async (w) =>
    `input: { liveInput: "${await w.liveInput()}", title: "Evening show", scheduledAt: "${tomorrow(w)}" }`,
  rescheduleStream: {
    scheduled: async (w) => `id: "${await w.scheduled()}", input: { scheduledAt: "${tomorrow(w)}" }`,
    'not scheduled': async (w) => `id: "${await w.broadcast()}", input: { scheduledAt: "${tomorrow(w)}" }`,
  },
  cancelStream: {
    scheduled: async (w) => `id: "${await w.scheduled()}"`,
    'not scheduled': async (w) => `id: "${await w.broadcast()}"`,
  },
  createChatMessage: {
    'open to everyone': async (w) => `input: { stream: "${await w.broadcast()}", body: "Hello" }`,
    'open to followers': async (w) => `input: { stream: "${await w.broadcast('FOLLOWERS')}", body: "Hello" }`,
    'open to members': async (w) => `input: { stream: "${await w.broadcast('MEMBERS')}", body: "Hello" }`,
    'timed out': async (w, me) => {
      await w.chatTimeout(me);
      return `input: { stream: "${await w.broadcast()}", body: "Hello" }`;
    },
  },
  deleteChatMessage: {
    own: async (w, me) => `id: "${await w.chatMessage(me)}"`,
    'own, held': async (w, me) => `id: "${await w.heldMessage(me)}"`,
    "another's": async (w) => `id: "${await w.chatMessage(await w.commenter())}"`,
  },
  approveChatMessage: {
    own: async (w, me) => `id: "${await w.heldMessage(me)}"`,
    "another's": async (w) => `id: "${await w.heldMessage(await w.commenter())}"`,
  },
  pinChatMessage: async (w) => `id: "${await w.chatMessage()}"`,
  unpinChatMessage: async (w) => `id: "${await w.chatMessage()}"`,
  updateChat: async (w) => `id: "${await w.broadcast()}", input: { mode: FOLLOWERS, slowModeMs: 5000 }`,
  timeOutUser: async (w) => `id: "${w.owner.channel}", input: { username: "${await w.account()}", durationMs: 60000 }`,
  exportData: () => 'input: { query: "{ contents { edges { node { id metadata { title } } } } }" }',
  cancelDataExport: {
    own: async (w, me) => `id: "${await w.dataExport(me)}"`,
    "another's": async (w) => `id: "${await w.dataExport(await w.commenter())}"`,
  },
  createWebhook: ({ owner }) =>
    `input: { channel: "${owner.channel}", url: "https://1.1.1.1/hook", events: [CONTENT_PUBLISHED] }`,
  updateWebhook: async (w) => `id: "${(await w.webhook()).id}", input: { description: "Changed" }`,
  deleteWebhook: async (w) => `id: "${(await w.webhook()).id}"`,
  rotateWebhookSecret: async (w) => `id: "${(await w.webhook()).id}"`,
  testWebhook: async (w) => `id: "${(await w.webhook()).id}"`,
  replayWebhook: async (w) => {
    const { id, cursor } = await w.webhook();
    return `id: "${id}", input: { after: "${cursor}" }`;
  },
  redeliverWebhook: async (w) => `id: "${(await w.webhook()).deliveryId}"`,
  removeFromHistory: async (w, me) => `id: "${await w.liked(me)}"`,
  clearHistory: async (w, me) => {
    await w.liked(me);
    return '';
  },
  createPlaylist: ({ owner }) => `channel: "${owner.channel}", input: { title: "New" }`,
  createPlaylistWithItems: async (w) =>
    `input: { title: "New", channel: "${w.owner.channel}", ` +
    `contentIds: ["${await w.content({ status: 'PUBLISHED' })}"] }`,
  createPlaylistAsset: async (w) =>
    `id: "${(await w.playlist()).id}", input: { filename: "a.png", size: 1000, image: { hint: THUMBNAIL } }`,
  updatePlaylist: async (w) => `id: "${(await w.playlist()).id}", input: { title: "Changed" }`,
  deletePlaylist: async (w) => `id: "${(await w.playlist()).id}"`,
  addPlaylistItems: async (w) =>
    `id: "${(await w.playlist()).id}", input: { contentIds: ["${await w.content({ status: 'PUBLISHED' })}"] }`,
  movePlaylistItem: async (w) => `id: "${(await w.playlist()).item}", input: { index: 0 }`,
  movePlaylistItems: async (w) => {
    const { id, item } = await w.playlist();
    return `id: "${id}", input: { itemIds: ["${item}"], index: 0 }`;
  },
  removePlaylistItems: async (w) => {
    const { id, item } = await w.playlist();
    return `id: "${id}", input: { itemIds: ["${item}"] }`;
  },
  saveToPlaylist: async (w) =>
    `id: "${(await w.playlist()).id}", input: { contentId: "${await w.content({ status: 'PUBLISHED' })}" }`,
  removeFromPlaylist: async (w) => {
    const { id } = await w.playlist();
    return `id: "${id}", input: { contentId: "${await w.content({ status: 'PUBLISHED' })}" }`;
  },
  addToWatchLater: async (w) => `id: "${await w.content({ status: 'PUBLISHED' })}"`,
  removeFromWatchLater: async (w, me) => `id: "${await w.inWatchLater(me)}"`,
  markNotificationsRead: async (w, me) => {
    await w.notified(me);
    return '';
  },
  updateNotificationSettings: () => 'input: { kind: NEW_VIDEO, byMail: true }',
  createComment: {
    'open to everyone': async (w) => `contentId: "${await w.content({ comments: 'ENABLED' })}", body: "Hello"`,
    'open to members': async (w) => `contentId: "${await w.content({ comments: 'MEMBERS_ONLY' })}", body: "Hello"`,
  },
  createCommentByLrn: {
    'open to everyone': async (w) => `targetLrn: "${await w.content({ comments: 'ENABLED' })}", body: "Hello"`,
    'open to members': async (w) => `targetLrn: "${await w.content({ comments: 'MEMBERS_ONLY' })}", body: "Hello"`,
  },
  updateComment: {
    own: async (w, me) => `id: "${await w.comment(me)}", input: { body: "Changed" }`,
    'own, held': async (w, me) => `id: "${await w.heldComment(me)}", input: { body: "Changed" }`,
    "another's": async (w) => `id: "${await w.comment(await w.commenter())}", input: { body: "Changed" }`,
  },
  deleteComment: {
    own: async (w, me) => `id: "${await w.comment(me)}"`,
    'own, held': async (w, me) => `id: "${await w.heldComment(me)}"`,
    "another's": async (w) => `id: "${await w.comment(await w.commenter())}"`,
  },
  likeComment: async (w) => `id: "${await w.comment()}"`,
  unlikeComment: async (w, me) => `id: "${await w.praised(me)}"`,
  pinComment: async (w) => `id: "${await w.comment()}"`,
  unpinComment: async (w, me) => `id: "${await w.praised(me)}"`,
  heartComment: async (w) => `id: "${await w.comment()}"`,
  unheartComment: async (w, me) => `id: "${await w.praised(me)}"`,
  approveComments: async (w) => `ids: ["${await w.comment()}"]`,
  holdComments: async (w) => `ids: ["${await w.comment()}"]`,
  rejectComments: async (w) => `ids: ["${await w.comment()}"]`,
  updateCommentSettings: async (w) => `id: "${await w.content()}", input: { mode: DISABLED }`,
  updateModeration: ({ owner }) => `id: "${owner.channel}", input: { holdLinks: true }`,
  blockUser: async (w) => `id: "${w.owner.channel}", input: { username: "${await w.account()}" }`,
  unblockUser: async (w) => `id: "${w.owner.channel}", input: { username: "${await w.account()}" }`,
  report: {
    'a content': async (w) => `input: { target: "${await w.content({ status: 'PUBLISHED' })}", reason: SPAM }`,
    'a comment': async (w) => `input: { target: "${await w.comment()}", reason: SPAM }`,
    'a channel': ({ owner }) => `input: { target: "${owner.channel}", reason: SPAM }`,
    'a chat message': async (w) => `input: { target: "${await w.chatMessage()}", reason: SPAM }`,
  },
  updateInstance: () => 'input: { name: "Harbour TV", termsUrl: "https://example.com/terms" }',
  reviewReport: async (w) => `id: "${await w.report()}", input: { decision: TAKE_DOWN, reason: "Published spam." }`,
  liftTakedown: async (w) => `id: "${await w.takenDown()}"`,
  resolveReport: async (w) => `id: "${await w.report()}", input: { resolution: DISMISSED }`,
  likeContent: async (w) => `id: "${await w.content({ status: 'PUBLISHED' })}"`,
  unlikeContent: async (w, me) => `id: "${await w.liked(me)}"`,
  like: async (w) => `targetLrn: "${await w.content({ status: 'PUBLISHED' })}"`,
  unlike: async (w, me) => `targetLrn: "${await w.liked(me)}"`,
  followChannel: {
    'of another account': async (w) => `channel: "${await w.followable()}"`,
    'of the owner': async (w) => `channel: "${await w.channel()}"`,
  },
  unfollowChannel: async (w, me) => `channel: "${await w.followed(me)}"`,
  follow: {
    'of another account': async (w) => `targetLrn: "${await w.followable()}"`,
    'of the owner': async (w) => `targetLrn: "${await w.channel()}"`,
  },
  unfollow: async (w, me) => `targetLrn: "${await w.followed(me)}"`,
  publishContentToYouTube: async (w, me) => {
    await w.youtube(me);
    return `id: "${await w.video()}", privacyStatus: UNLISTED`;
  },
  createContentFromYouTube: async (w, me) => `channel: "${w.owner.channel}", videoId: "${await w.youtube(me)}"`,
  importYouTubeAndPublish: async (w, me) =>
    `input: { videoId: "${await w.youtube(me)}", channel: "${w.owner.channel}" }`,
  importYouTubeLibrary: async (w, me) => {
    await w.youtube(me);
    return `input: { channel: "${w.owner.channel}", maxResults: 2 }`;
  },
  disconnectYouTube: async (w, me) => {
    await w.youtube(me);
    return '';
  },
  publishVideo: ({ owner }) => `input: { title: "New", channel: "${owner.channel}", filename: "a.mp4", size: 1000 }`,
};

/**
 * The cases of a mutation, in their order; one without a name where there is only one. None for a mutation without an
 * entry.
 */
export function casesOf(name: string): readonly (readonly [name: string, prepare: Prepare])[] {
  const entry = MUTATIONS[name];
  if (entry === undefined) return [];
  return typeof entry === 'function' ? [['', entry]] : Object.entries(entry);
}
