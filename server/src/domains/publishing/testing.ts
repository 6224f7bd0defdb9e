import type { Person, TestCatalog } from '../catalog/testing.ts';
import type { FakeGoogle } from './fake-google.fixture.ts';
import { READ_SCOPE, UPLOAD_SCOPE } from './site/site-addresses.ts';

/** Connects an account, as if after consent at Google. */
export async function connectYouTube(
  { rows, platform, clock }: TestCatalog,
  google: FakeGoogle,
  { accountId }: Pick<Person, 'accountId'>,
  { upload = false } = {},
): Promise<void> {
  const scopes = upload ? [READ_SCOPE, UPLOAD_SCOPE] : [READ_SCOPE];
  const sealed = platform.secrets.seal('youtube-token', google.giveRefreshToken(scopes));
  const { id, title, uploads } = google.channel;
  await rows(
    `insert into youtube_connections (account_id, channel_id, channel_title, uploads_playlist_id, scopes,
      sealed_refresh_token, connected_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (account_id) do update set scopes = $5,
       sealed_refresh_token = $6, broken_at = null`,
    [accountId, id, title, uploads, scopes, sealed, new Date(clock.now()).toISOString()],
  );
}
