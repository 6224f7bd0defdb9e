/** A file of an archive: `object` has one row, `list` any number, one JSON object a line. */
export interface ArchivePart {
  readonly name: string;
  readonly shape: 'object' | 'list';
  /** Tables with rows of an account that it exports. */
  readonly tables: readonly string[];
  /** The rows of the account $1; those of a list have a unique `id`. */
  readonly query: string;
}

const OWNED = 'select h.id from channels h where h.account_id = $1';

function list(name: string, tables: readonly string[], query: string): ArchivePart {
  return { name: `${name}.jsonl`, shape: 'list', tables, query };
}

function object(name: string, tables: readonly string[], query: string): ArchivePart {
  return { name: `${name}.json`, shape: 'object', tables, query };
}

/** Everything in an archive. Columns are named, so that a new secret is not exported by itself. */
export const ARCHIVE_PARTS: readonly ArchivePart[] = [
  object(
    'profile',
    ['accounts'],
    `select id, username, email, email_verified as "emailVerified", name as "displayName", image,
       two_factor_enabled as "twoFactorEnabled", is_operator as "isOperator", created_at as "createdAt",
       suspended_at as "suspendedAt", suspension_reason as "suspensionReason"
     from accounts where id = $1`,
  ),
  object(
    'settings',
    ['account_settings'],
    `select do_not_track as "doNotTrack", keep_history as "keepHistory", language,
       notifications_off as "notificationsOff", notifications_mailed as "notificationsMailed", updated_at as "updatedAt"
     from account_settings where account_id = $1`,
  ),
  object(
    'subscription',
    ['subscriptions'],
    `select plan, billing_interval as "billingInterval", state, trial_started_at as "trialStartedAt",
       trial_ends_at as "trialEndsAt", bill_at as "billAt", ends_at as "endsAt", canceled_at as "canceledAt",
       past_due_at as "pastDueAt", updated_at as "updatedAt"
     from subscriptions where account_id = $1`,
  ),
  object(
    'payments',
    ['payment_customers'],
    `select customer_id as "customerId", subscription_id as "subscriptionId", created_at as "createdAt"
     from payment_customers where account_id = $1`,
  ),
  object(
    'usage-limits',
    ['api_key_usage_limits'],
    `select deletes_per_day as "deletesPerDay", publishes_per_hour as "publishesPerHour",
       processing_minutes_per_day as "processingMinutesPerDay", updated_at as "updatedAt"
     from api_key_usage_limits where account_id = $1`,
  ),
  object(
    'youtube-connection',
    ['youtube_connections'],
    `select channel_id as "youtubeChannelId", channel_title as title, scopes, connected_at as "connectedAt"
     from youtube_connections where account_id = $1`,
  ),
  list(
    'sessions',
    ['sessions'],
    `select id, ip_address as address, user_agent as "userAgent", created_at as "createdAt", expires_at as "expiresAt"
     from sessions where account_id = $1`,
  ),
  list(
    'passkeys',
    ['passkeys'],
    `select id, name, device_type as "deviceType", backed_up as "backedUp", created_at as "createdAt"
     from passkeys where account_id = $1`,
  ),
  list(
    'api-keys',
    ['api_keys'],
    `select id, hint, created_at as "createdAt", last_used_at as "lastUsedAt" from api_keys where account_id = $1`,
  ),
  list(
    'tokens',
    ['api_tokens'],
    `select id, name, hint, permissions, channel_ids as "channelIds", is_test as "isTest", created_at as "createdAt",
       expires_at as "expiresAt", last_used_at as "lastUsedAt"
     from api_tokens where account_id = $1`,
  ),
  list(
    'key-activity',
    ['api_key_audit_log'],
    `select id, at, via, agent, operation, subject, outcome, token from api_key_audit_log where account_id = $1`,
  ),
  list(
    'key-usage',
    ['api_key_usage'],
    `select id, limit_name as "limit", amount, at from api_key_usage where account_id = $1`,
  ),
  list(
    'connected-applications',
    ['oauth_consents'],
    `select c.id, k.name, k.uri, c.scopes, c.created_at as "createdAt"
     from oauth_consents c left join oauth_clients k on k.client_id = c.client_id where c.account_id = $1`,
  ),
  list(
    'registered-applications',
    ['oauth_clients'],
    `select id, client_id as "clientId", name, uri, redirect_uris as "redirectUris", created_at as "createdAt"
     from oauth_clients where account_id = $1`,
  ),
  list(
    'channels',
    ['channels'],
    `select id, handle, name, title, summary, short_summary as "shortSummary", keywords, website_url as "websiteUrl",
       time_zone as "timeZone", is_test as "isTest", created_at as "createdAt", updated_at as "updatedAt"
     from channels where account_id = $1`,
  ),
  list(
    'memberships',
    ['channel_members'],
    `select m.id, h.id as "channelId", h.handle, m.role, m.created_at as "createdAt"
     from channel_members m join channels h on h.id = m.channel_id where m.account_id = $1`,
  ),
  list(
    'channel-invitations',
    ['channel_invitations'],
    `select id, channel_id as "channelId", role, email, invited_by is not distinct from $1 as sent, state,
       created_at as "createdAt", expires_at as "expiresAt", ended_at as "endedAt"
     from channel_invitations where account_id = $1 or invited_by = $1`,
  ),
  list(
    'content-shares',
    ['content_shares'],
    `select id, content_id as "contentId", channel_id as "channelId", email, created_by is not distinct from $1 as sent,
       created_at as "createdAt"
     from content_shares where account_id = $1 or created_by = $1`,
  ),
  list(
    'share-links',
    ['share_links'],
    `select id, content_id as "contentId", channel_id as "channelId", name, expires_at as "expiresAt",
       max_uses as "maxUses", uses, created_at as "createdAt", last_used_at as "lastUsedAt"
     from share_links where created_by = $1`,
  ),
  list(
    'contents',
    [],
    `select c.id, c.channel_id as "channelId", c.kind, c.title, c.summary, c.short_summary as "shortSummary",
       c.keywords, c.status, c.visibility, c.language, c.duration_ms as "durationMs", c.parent_id as "parentId",
       c.number, c.chapters, c.note, c.comment_mode as "commentMode", c.release_at as "releaseAt",
       c.published_at as "publishedAt", c.deleted_at as "deletedAt", c.created_at as "createdAt",
       c.updated_at as "updatedAt"
     from contents c where c.channel_id in (${OWNED})`,
  ),
  list(
    'captions',
    [],
    `select id, content_id as "contentId", language, label, kind, vtt as text, created_at as "createdAt",
       updated_at as "updatedAt"
     from captions where channel_id in (${OWNED})`,
  ),
  list(
    'files',
    [],
    `select v.id, v.content_id as "contentId", v.filename, v.mime_type as "mimeType", v.size_bytes as "sizeBytes",
       v.width, v.height, v.duration_ms as "durationMs", v.created_at as "createdAt",
       case when v.original_deleted_at is null then $2::text || v.id end as "download"
     from video_assets v where v.channel_id in (${OWNED})`,
  ),
  list(
    'playlists',
    [],
    `select id, channel_id as "channelId", title, summary, keywords, visibility, created_at as "createdAt",
       updated_at as "updatedAt"
     from playlists where channel_id in (${OWNED})`,
  ),
  list(
    'playlist-items',
    [],
    `select i.id, i.playlist_id as "playlistId", i.content_id as "contentId", i."position", i.created_at as "createdAt"
     from playlist_items i join playlists p on p.id = i.playlist_id where p.channel_id in (${OWNED})`,
  ),
  list(
    'comments',
    ['comments'],
    `select id, content_id as "contentId", parent_id as "parentId", body as text, status, created_at as "createdAt",
       edited_at as "editedAt"
     from comments where account_id = $1 and deleted_at is null`,
  ),
  list(
    'comment-edits',
    [],
    `select e.id, e.comment_id as "commentId", e.body as text, e.created_at as "createdAt"
     from comment_edits e join comments c on c.id = e.comment_id where c.account_id = $1 and c.deleted_at is null`,
  ),
  list(
    'chat-messages',
    ['chat_messages'],
    `select id, content_id as "contentId", body as text, status, created_at as "createdAt"
     from chat_messages where account_id = $1 and status <> 'DELETED'`,
  ),
  list('likes', ['likes'], `select content_id as id, created_at as "createdAt" from likes where account_id = $1`),
  list(
    'comment-likes',
    ['comment_likes'],
    `select comment_id as id, created_at as "createdAt" from comment_likes where account_id = $1`,
  ),
  list(
    'follows',
    ['follows'],
    `select f.channel_id as id, h.handle, f.created_at as "createdAt"
     from follows f join channels h on h.id = f.channel_id where f.account_id = $1`,
  ),
  list(
    'watch-later',
    ['watch_later'],
    `select w.content_id as id, c.title, w.created_at as "createdAt"
     from watch_later w join contents c on c.id = w.content_id where w.account_id = $1`,
  ),
  list(
    'watch-history',
    ['watch_positions'],
    `select w.content_id as id, c.title, w.position_ms as "positionMs", w.watched_ms as "watchedMs", w.completed,
       w.updated_at as "watchedAt"
     from watch_positions w join contents c on c.id = w.content_id where w.account_id = $1`,
  ),
  list(
    'notifications',
    ['notifications'],
    `select id, kind, content_id as "contentId", comment_id as "commentId", created_at as "createdAt",
       read_at as "readAt"
     from notifications where account_id = $1`,
  ),
  list(
    'reports',
    ['reports'],
    `select id, content_id as "contentId", comment_id as "commentId", chat_message_id as "chatMessageId", reason, note,
       status, created_at as "createdAt"
     from reports where account_id = $1`,
  ),
  list(
    'youtube-publications',
    ['youtube_publish_jobs'],
    `select id, content_id as "contentId", youtube_video_id as "youtubeVideoId", status, created_at as "createdAt"
     from youtube_publish_jobs where account_id = $1`,
  ),
  list(
    'processed-minutes',
    ['upload_charges'],
    `select video_asset_id as id, month, duration_ms as "durationMs" from upload_charges where account_id = $1`,
  ),
  list(
    'broadcast-minutes',
    ['broadcast_charges'],
    `select broadcast_id as id, month, duration_ms as "durationMs" from broadcast_charges where account_id = $1`,
  ),
  list(
    'generation-credits',
    ['generation_charges'],
    `select job_id as id, month, credits from generation_charges where account_id = $1`,
  ),
  list(
    'server-invitations',
    ['invitations'],
    `select id, email, note, created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt"
     from invitations where created_by = $1`,
  ),
  list(
    'operator-actions',
    ['operator_actions'],
    `select id, at, action, operator_id is not distinct from $1 as "byYou", subject, details
     from operator_actions where account_id = $1 or operator_id = $1`,
  ),
  list(
    'data-exports',
    ['data_exports'],
    `select id, name, query, variables, status, created_at as "createdAt" from data_exports where account_id = $1`,
  ),
  list(
    'archives',
    ['account_archives'],
    `select id, status, created_at as "createdAt", expires_at as "expiresAt" from account_archives
     where account_id = $1`,
  ),
];

/** Tables with rows of an account that no archive has, and why. A new table is in one of the two lists. */
export const NOT_ARCHIVED: Readonly<Record<string, string>> = {
  channel_blocks: 'Decisions of other channels about the account.',
  chat_rate_limits: 'Counters of the last minute.',
  chat_timeouts: 'Decisions of other channels about the account.',
  comment_mentions: 'Follows from the texts of comments, most of them by others.',
  comment_rate_limits: 'Counters of the last minute.',
  credentials: 'The hash of the password, and names at providers, which the security settings list.',
  email_confirmations: 'Links of a day that were not opened yet.',
  encode_plans: 'Work of the server, deleted with its job.',
  follow_changes: 'Sums up what follows has.',
  idempotency_keys: 'Sealed responses of a day.',
  known_browsers: 'Only an HMAC that nobody can read.',
  oauth_access_tokens: 'Secrets of applications; connected-applications.jsonl lists them.',
  oauth_refresh_tokens: 'Secrets of applications; connected-applications.jsonl lists them.',
  oidc_grants: 'Role and plan, which profile and subscription have.',
  oidc_sessions: 'Tokens of providers; sessions.jsonl lists the sessions.',
  password_resets: 'Links of an hour that were not opened yet.',
  two_factors: 'The secret of the authenticator, and recovery codes.',
  watch_events: 'Raw events of 90 days; watch-history.jsonl has what they say.',
  youtube_consents: 'Secrets of a connection that is being made.',
};
