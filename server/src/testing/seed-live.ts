import type { Person, TestCatalog } from '../domains/catalog/testing.ts';
import { uuidOf } from '../domains/catalog/testing.ts';
import type { ChatMode } from '../domains/live/chat/chat-fields.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';

/** Directly, because the API allows twenty per channel. */
export async function addLiveInput({ rows, platform }: TestCatalog, owner: Person): Promise<string> {
  const id = newId();
  const key = `key-of-${id}`;
  await rows(
    'insert into live_inputs (id, channel_id, name, stream_key, stream_key_hash, created_at, updated_at) ' +
      `values ($1, $2, 'Camera', $3, $4, now(), now())`,
    [id, owner.channelId, platform.secrets.seal('stream-key', key), platform.secrets.mac('stream-key-lookup', key)],
  );
  return formatDid(platform.config.DID_NAMESPACE, 'liveInput', id);
}

/** A live input with an encoder whose broadcast waits to be started, by its DID. */
export async function addPreviewed(catalog: TestCatalog, owner: Person): Promise<string> {
  const input = await addLiveInput(catalog, owner);
  await catalog.rows(
    `insert into broadcasts (id, input_id, channel_id, state, start_mode, connection_id, connected_at, heartbeat_at,
       latency, recording, reconnect_window_ms)
     values ($1, $2, $3, 'CONNECTED', 'MANUAL', $1, now(), now(), 'LOW', 'ALL', 60000)`,
    [newId(), uuidOf(input), owner.channelId],
  );
  return input;
}

/** A target of a new live input, by its DID. */
export async function addSimulcastTarget(catalog: TestCatalog, owner: Person): Promise<string> {
  const { secrets, config } = catalog.platform;
  const [input, id] = [await addLiveInput(catalog, owner), newId()];
  await catalog.rows(
    'insert into simulcast_targets (id, input_id, name, url, stream_key, created_at, updated_at) ' +
      `values ($1, $2, 'Other service', 'rtmp://1.1.1.1/live', $3, now(), now())`,
    [id, uuidOf(input), secrets.seal('simulcast-key', 'key-of-the-other-service')],
  );
  return formatDid(config.DID_NAMESPACE, 'simulcastTarget', id);
}

/** A stream whose encoder is gone and may come back, by its DID. Its live input is deleted: a channel has few. */
export async function addBroadcast(catalog: TestCatalog, owner: Person, mode: ChatMode = 'EVERYONE'): Promise<string> {
  const stream = await catalog.content(owner, { kind: 'STREAM', status: 'PUBLISHED' });
  const [broadcastId, videoAssetId] = [newId(), newId()];
  await catalog.rows(
    `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, package_prefix,
       ready_at, original_deleted_at)
     values ($1, $2, $3::uuid, 'LANDSCAPE_VIDEO', 'stream.mp4', 'sources/' || $1::uuid, 0,
       'media/' || $3::uuid || '/' || $1::uuid || '/live/', now(), now())`,
    [videoAssetId, owner.channelId, uuidOf(stream)],
  );
  await catalog.rows(
    `insert into broadcasts (id, input_id, channel_id, state, content_id, video_asset_id, latency, recording,
       reconnect_window_ms, connected_at, started_at, reconnect_until)
     values ($1, null, $2, 'RECONNECTING', $3, $4, 'LOW', 'ALL', 60000, now(), now(), now() + interval '1 minute')`,
    [broadcastId, owner.channelId, uuidOf(stream), videoAssetId],
  );
  await catalog.rows('insert into chats (id, mode, updated_at) values ($1, $2, now())', [uuidOf(stream), mode]);
  return stream;
}

/** Notes three segments of two seconds of the broadcast of a stream, without their files. Its DID again. */
export async function addSegments({ rows }: TestCatalog, stream: string): Promise<string> {
  await rows(
    `insert into broadcast_segments (broadcast_id, number, init, is_discontinuity, start_ticks, video_duration,
       video_bytes, audio_duration, audio_bytes, arrived_at)
     select id, n, 0, false, n * 180000, 180000, 1, 0, 0, now()
     from broadcasts, generate_series(0, 2) n where content_id = $1`,
    [uuidOf(stream)],
  );
  return stream;
}

/** A stream that is scheduled for a live input of the channel, by its DID. */
export async function addScheduled(catalog: TestCatalog, owner: Person): Promise<string> {
  const stream = await catalog.content(owner, { kind: 'STREAM', status: 'PUBLISHED' });
  // A channel has few live inputs, and each of them few broadcasts that are scheduled.
  const [found] = await catalog.rows<{ id: string }>(
    `select i.id from live_inputs i where i.channel_id = $1
       and (select count(*) from broadcasts b where b.input_id = i.id) < 20 limit 1`,
    [owner.channelId],
  );
  const input = found?.id ?? uuidOf(await addLiveInput(catalog, owner));
  await catalog.rows(
    `insert into broadcasts (id, input_id, channel_id, state, content_id, scheduled_at, latency, recording,
       reconnect_window_ms)
     values ($1, $2, $3, 'SCHEDULED', $4, $5, 'LOW', 'ALL', 60000)`,
    [newId(), input, owner.channelId, uuidOf(stream), new Date(catalog.clock.now() + 3_600_000).toISOString()],
  );
  await catalog.rows('insert into chats (id, updated_at) values ($1, now())', [uuidOf(stream)]);
  return stream;
}

/** A message in the chat of a stream, by its DID: published, or held for review. */
export async function addChatMessage(
  catalog: TestCatalog,
  owner: Person,
  { author = owner, isHeld = false }: { author?: Person | undefined; isHeld?: boolean } = {},
): Promise<string> {
  const stream = await addBroadcast(catalog, owner);
  const id = newId();
  await catalog.rows('update chats set version = 1 where id = $1', [uuidOf(stream)]);
  await catalog.rows(
    `insert into chat_messages (id, content_id, channel_id, account_id, body, status, held_for, version, created_at)
     values ($1, $2, $3, $4, 'Hello', $5, $6, 1, now())`,
    [...[id, uuidOf(stream), owner.channelId, author.accountId], ...(isHeld ? ['HELD', 'LINK'] : ['PUBLISHED', null])],
  );
  return formatDid(catalog.platform.config.DID_NAMESPACE, 'chatMessage', id);
}

/** Keeps an account from writing in the chats of the channel. */
export async function addChatTimeout({ rows, clock }: TestCatalog, owner: Person, person: Person): Promise<void> {
  await rows(
    `insert into chat_timeouts (channel_id, account_id, ends_at) values ($1, $2, $3)
     on conflict (channel_id, account_id) do update set ends_at = excluded.ends_at`,
    [owner.channelId, person.accountId, new Date(clock.now() + 3_600_000).toISOString()],
  );
}
