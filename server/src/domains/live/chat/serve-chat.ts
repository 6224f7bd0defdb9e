import { formatDid } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { CHAT_FILE, chatKeyOf } from '../../assets/index.ts';
import type { FileGenerator, GeneratedFile } from '../../delivery/index.ts';
import { type FeedMessage, keptRangesOf, type ReplayedMessage, replayedMessages } from './chat-feed.store.ts';
import type { ChatFeeds } from './chat-feeds.ts';
import { playedPosition, recordedRanges } from './chat-positions.ts';
import type { ChatUpdate } from './chat-room.ts';

const UUID = '[0-9a-f-]{36}';
const FILE = new RegExp(`^media/(${UUID})/(${UUID})/${CHAT_FILE.replace('.', '\\.')}$`);
const CHAT_OF_STREAM = new RegExp(`^${chatKeyOf(`(${UUID})`).replaceAll('.', '\\.')}$`);
/** Readers repeat requests that take longer. */
const LONGEST_WAIT_MS = 8_000;
/** What one request of a replay covers. */
const REPLAYED_MS = 60_000;
const MOST_REPLAYED = 1_000;

/** Where a chat is served: beside the manifests of the video of its stream. */
export function chatKey(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/${CHAT_FILE}`;
}

/**
 * The chats of streams as JSON. Who may watch may read: addresses, signatures and visibility are those of the video, or
 * of the stream where that has none yet.
 * `?after=N` waits for what is new after version N; `?from=MS` is what was written in the minute of the recording that
 * contains this position.
 */
export function chatFiles(feeds: Pick<ChatFeeds, 'read'>, namespace: string): FileGenerator {
  const files = new WeakMap<ChatUpdate, GeneratedFile>();
  return async ({ db }, key, { query, whenAbandoned }) => {
    const [, contentId, videoAssetId = null] = FILE.exec(key) ?? CHAT_OF_STREAM.exec(key) ?? [];
    if (contentId === undefined) return null;
    const fromMs = numberIn(query, 'from');
    if (fromMs !== null) return replay(db, { contentId, videoAssetId, fromMs, namespace });
    const after = numberIn(query, 'after');
    const update = await feeds.read(contentId, after, { limitMs: LONGEST_WAIT_MS, whenAbandoned });
    if (update === null) return 'missing';
    // The same for all who have the same version.
    const file = files.get(update) ?? fileOf(update, after, namespace);
    files.set(update, file);
    return file;
  };
}

function fileOf(update: ChatUpdate, after: number | null, namespace: string): GeneratedFile {
  const { version, state, isComplete, messages, removed } = update;
  const { mode, slowModeMs, isOpen, pinned } = state;
  const body = JSON.stringify({
    ...{ version, mode, slowModeMs, isOpen, isComplete },
    pinned: pinned && named(pinned, namespace),
    messages: messages.map((message) => named(message, namespace)),
    removed: removed.map((id) => formatDid(namespace, 'chatMessage', id)),
  });
  const etag = `"chat-${version}-${isComplete ? 'all' : after}"`;
  return { body, contentType: 'application/json', lifetime: 'LIVE', etag };
}

interface Replay {
  readonly contentId: string;
  /** Null where nothing can be played: nothing is replayed then. */
  readonly videoAssetId: string | null;
  readonly fromMs: number;
  readonly namespace: string;
}

async function replay(
  db: Executor,
  { contentId, videoAssetId, fromMs, namespace }: Replay,
): Promise<GeneratedFile | 'missing'> {
  const kept = videoAssetId === null ? null : await keptRangesOf(db, videoAssetId, contentId);
  if (kept === undefined) return 'missing';
  const startMs = fromMs - (fromMs % REPLAYED_MS);
  const endMs = startMs + REPLAYED_MS;
  const found: ReplayedMessage[] = [];
  for (const range of videoAssetId === null ? [] : recordedRanges(startMs, endMs, kept))
    found.push(...(await replayedMessages(db, contentId, range, MOST_REPLAYED - found.length)));
  const messages = found.map(({ positionMs, ...message }) => ({
    ...named(message, namespace),
    positionMs: playedPosition(positionMs, kept),
  }));
  const body = JSON.stringify({ fromMs: startMs, toMs: endMs, messages });
  return { body, contentType: 'application/json', lifetime: 'SHORT' };
}

function named(message: FeedMessage, namespace: string): FeedMessage {
  return { ...message, id: formatDid(namespace, 'chatMessage', message.id) };
}

function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError('INVALID_INPUT', t`${name} is a number.`, {
    suggestedFix: t`Load the chat without parameters, and continue from its version.`,
    httpStatus: 400,
  });
}
