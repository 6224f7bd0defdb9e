import { type TestCatalog, uuidOf } from '../testing.ts';

export const PUBLISH_VIDEO = `mutation ($input: PublishVideoInput!) { publishVideo(input: $input) {
  published content { id kind status metadata { title contentLayout releaseDate } } job { id status progress deployed }
  upload { endpoint assetName curlCommand contentId expiresAt } } }`;

/** The state of a content and its planned publication. */
export function contentRow(api: TestCatalog, did: string) {
  return api.row<{ status: string; publish_when_ready: boolean; release_at: string | null }>(
    'select status, publish_when_ready, release_at from contents where id = $1',
    [uuidOf(did)],
  );
}

/** The jobs of this kind that were sent to workers. */
export function jobsSent(api: TestCatalog, name: string) {
  return api.rows<{ data: { payload: Record<string, unknown> } }>('select data from pgboss.job where name = $1', [
    name,
  ]);
}
