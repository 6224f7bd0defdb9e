import { createInvitation } from '../domains/accounts/index.ts';
import { type Person, type TestCatalog, uuidOf } from '../domains/catalog/testing.ts';
import { connectYouTube } from '../domains/publishing/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';
import { addAccount, addToken } from './seed-accounts.ts';
import { addChannel } from './seed-catalog.ts';

/** Accounts, and what they are given. */
export function accountSeeds(catalog: TestCatalog, owner: Person) {
  return {
    account: async () => (await addAccount(catalog)).username,
    newAccount: async () =>
      formatDid(catalog.platform.config.DID_NAMESPACE, 'user', (await addAccount(catalog)).accountId),
    async token({ accountId }: Person) {
      const { id } = await addToken(catalog, accountId, ['content:read']);
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'token', id);
    },
    async invitation() {
      const { id } = await createInvitation(catalog.platform, null, { note: 'For a guest' });
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'invitation', id);
    },
    async channelInvitation(to?: Person, token = newId()) {
      const id = newId();
      const accountId = to?.accountId ?? (await addAccount(catalog)).accountId;
      const channelId = to ? uuidOf(await addChannel(catalog, owner)) : owner.channelId;
      const now = new Date(catalog.clock.now()).toISOString();
      await catalog.rows(
        `insert into channel_invitations (id, channel_id, account_id, role, token_hash, created_at, expires_at)
         values ($1, $2, $3, 'VIEWER', sha256($5::text::bytea), $4, $4::timestamptz + interval '7 days')`,
        [id, channelId, accountId, now, token],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'channelInvitation', id);
    },
    async paymentCustomer({ accountId }: Person) {
      await catalog.rows(
        `insert into payment_customers (account_id, customer_id, created_at) values ($1, 'cus_' || $1::uuid, now())
         on conflict do nothing`,
        [accountId],
      );
    },
    async dataExport({ accountId, credential }: Person) {
      const id = newId();
      await catalog.rows(
        `insert into data_exports (id, account_id, credential_kind, credential_id, name, query, variables, position,
           created_at)
         select $1, $2, case when t.client_id is null then 'key' else 'oauth' end, coalesce(t.client_id, 'key'),
           'contents', '{ contents { edges { node { id } } } }', '{}', '{"after":null}', $4
         from (values ($3)) as given (token) left join oauth_access_tokens t on t.token = given.token`,
        [id, accountId, credential.kind === 'oauth' ? credential.tokenHash : '', new Date().toISOString()],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'dataExport', id);
    },
  };
}

/** Videos and publications on YouTube. */
export function youtubeSeeds(catalog: TestCatalog, owner: Person) {
  return {
    async youtube(person: Person) {
      const { google } = catalog;
      if (!google) throw new Error('open the catalogue with a FakeGoogle');
      await connectYouTube(catalog, google, person, { upload: true });
      const id = `video${String(google.videos.length).padStart(6, '0')}`;
      google.videos.unshift({ id, title: 'A video from YouTube', description: 'What it is about.', tags: ['video'] });
      return id;
    },
    async publication() {
      const [id, content] = [newId(), await catalog.content(owner, { status: 'PUBLISHED' })];
      await catalog.rows(
        `insert into youtube_publish_jobs (id, content_id, channel_id, account_id, youtube_channel_id, privacy_status,
          status, progress, object_key,
           content_type, size_bytes, sent_bytes, youtube_video_id, created_at, updated_at, sent_at, finished_at)
         values ($1, $2, $3, $4, 'UCexample', 'PRIVATE', 'COMPLETE', 100, 'sources/example', 'video/mp4', 5, 5,
           'a1B2c3D4e5F', $5, $5, $5, $5)`,
        [id, uuidOf(content), owner.channelId, owner.accountId, new Date(catalog.clock.now()).toISOString()],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'youtubePublishJob', id);
    },
  };
}
