import type { Person, TestCatalog, TestContent } from '../domains/catalog/testing.ts';
import type { ChatMode } from '../domains/live/chat/chat-fields.ts';
import { accountSeeds, youtubeSeeds } from './seed-account-data.ts';
import { addChannel, makePlaylist, type TestPlaylist } from './seed-catalog.ts';
import { contentSeeds, jobSeeds, videoSeeds } from './seed-contents.ts';
import { addSigningKey, addWebhook, type SeededWebhook } from './seed-integrations.ts';
import {
  addBroadcast,
  addChatMessage,
  addChatTimeout,
  addLiveInput,
  addPreviewed,
  addScheduled,
  addSegments,
  addSimulcastTarget,
} from './seed-live.ts';
import { addContentShare, addShareLink } from './seed-sharing.ts';
import { reportSeeds, viewerSeeds } from './seed-viewer-data.ts';

/** Creates the objects of examples. */
export interface SeedData {
  readonly catalog: TestCatalog;
  readonly owner: Person;
  /** A new content of the owner's channel, by its DID. */
  content(options?: Parameters<TestCatalog['content']>[1]): Promise<string>;
  /** A published series with a season and an episode. */
  series(): Promise<{ readonly serie: string; readonly season: string; readonly episode: string }>;
  /** A draft of the owner's channel with an uploaded video. */
  uploaded(): Promise<string>;
  /** A content of the owner's channel with a video that was processed, sound in stereo and captions in English. */
  processed(): Promise<string>;
  /** A content of the owner's channel with an image. */
  image(): Promise<{ readonly content: string; readonly image: string }>;
  /** A content of the owner's channel with a running test of titles, and the test's variant B. */
  contentTest(): Promise<{ readonly content: string; readonly variant: string }>;
  /** A signing key of the owner's channel. */
  signingKey(): Promise<string>;
  /** A share of a private content of the owner's channel with an address. */
  contentShare(): Promise<string>;
  /** A link to a private content of the owner's channel. */
  shareLink(): Promise<string>;
  /** A live input of the owner's channel. */
  liveInput(): Promise<string>;
  /** A simulcast target of a live input of the owner's channel. */
  simulcastTarget(): Promise<string>;
  /** A live input of the owner's channel whose encoder is connected and waits for startBroadcast. */
  previewed(): Promise<string>;
  /** A stream of the owner's channel whose broadcast is scheduled. */
  scheduled(): Promise<string>;
  /** A stream of the owner's channel whose encoder is gone and may come back. */
  broadcast(chatMode?: ChatMode): Promise<string>;
  /** A message in the chat of such a stream; defaults to the owner's own. */
  chatMessage(author?: Person): Promise<string>;
  /** One that is held for review. */
  heldMessage(author: Person): Promise<string>;
  /** Keeps the account from writing in the chats of the channel. */
  chatTimeout(person: Person): Promise<void>;
  /** A webhook of the owner's channel, with a delivery, and a cursor before all events. */
  webhook(): Promise<SeededWebhook>;
  /** Another channel of the owner with the same members, by its DID. */
  channel(): Promise<string>;
  /** A new account without memberships, by its username. */
  account(): Promise<string>;
  /** Captions of a content of the owner's channel. */
  captions(): Promise<string>;
  /** A queued job of the owner's channel. */
  job(): Promise<string>;
  /** One that failed, of a content with an uploaded file. */
  failedJob(): Promise<string>;
  /** A content of the owner's channel that is in the trash. */
  trashed(): Promise<string>;
  playlist(): Promise<TestPlaylist>;
  /** A comment on a published content of the owner's channel; defaults to the owner's own. */
  comment(author?: Person): Promise<string>;
  /** One of the account that is held for review. */
  heldComment(author: Person): Promise<string>;
  /** A published content that the account likes and has started to watch. */
  liked(person: Person): Promise<string>;
  /** A pinned comment with the channel's heart and the account's like. */
  praised(person: Person): Promise<string>;
  /** A channel of somebody else. */
  followable(): Promise<string>;
  /** Another channel of the owner that the account follows. */
  followed(person: Person): Promise<string>;
  /** An account that only comments. */
  commenter(): Promise<Person>;
  /** A YouTube video that was not imported yet, by its identifier; its channel is connected to the account. */
  youtube(person: Person): Promise<string>;
  /** A content of the owner's channel with a playable video and its uploaded file. */
  video(): Promise<string>;
  /** One whose video was trimmed. */
  trimmed(): Promise<string>;
  /** A completed publication on YouTube. */
  publication(): Promise<string>;
  /** A queued export of an account, requested with the credential that it has here. */
  dataExport(person: Person): Promise<string>;
  /** An invitation of a new account to the channel of the owner, or of the given one to another channel. */
  channelInvitation(to?: Person, token?: string): Promise<string>;
  /** Makes the account a customer of the payment provider. */
  paymentCustomer(person: Person): Promise<void>;
  /** A valid invitation to the server. */
  invitation(): Promise<string>;
  /** An account that nothing else uses. */
  newAccount(): Promise<string>;
  /** A content in the account's Watch later. */
  inWatchLater(person: Person): Promise<string>;
  /** The account gets a notification about a content. */
  notified(person: Person): Promise<void>;
  /** A scoped token of the account. */
  token(person: Person): Promise<string>;
  /** An open report on a content of the owner's channel. */
  report(): Promise<string>;
  /** A closed report on a content that is taken down. */
  takenDown(): Promise<string>;
}

/** Creates objects for `owner` and in its channel: public ones if their state allows, or private ones. */
export function createSeedData(ofEverybody: TestCatalog, owner: Person, isPrivate = false): SeedData {
  const shown: TestContent = isPrivate ? { visibility: 'PRIVATE' } : {};
  const catalog: TestCatalog = {
    ...ofEverybody,
    content: (person, options) => ofEverybody.content(person, { ...options, ...shown }),
  };
  const viewers = viewerSeeds(catalog, owner);
  return {
    catalog,
    owner,
    ...contentSeeds(catalog, owner),
    ...videoSeeds(catalog, owner),
    ...jobSeeds(catalog, owner),
    ...viewers,
    ...reportSeeds(catalog, owner),
    ...accountSeeds(catalog, owner),
    ...youtubeSeeds(catalog, owner),
    signingKey: () => addSigningKey(catalog, owner),
    contentShare: () => addContentShare(catalog, owner),
    shareLink: () => addShareLink(catalog, owner),
    liveInput: () => addLiveInput(catalog, owner),
    simulcastTarget: () => addSimulcastTarget(catalog, owner),
    previewed: () => addPreviewed(catalog, owner),
    scheduled: () => addScheduled(catalog, owner),
    broadcast: async (mode) => addSegments(catalog, await addBroadcast(catalog, owner, mode)),
    chatMessage: (author) => addChatMessage(catalog, owner, { author }),
    heldMessage: (author) => addChatMessage(catalog, owner, { author, isHeld: true }),
    chatTimeout: (person) => addChatTimeout(ofEverybody, owner, person),
    webhook: () => addWebhook(catalog, owner),
    channel: () => addChannel(catalog, owner),
    playlist: () => makePlaylist(catalog, owner, isPrivate ? 'PRIVATE' : 'PUBLIC'),
  };
}
