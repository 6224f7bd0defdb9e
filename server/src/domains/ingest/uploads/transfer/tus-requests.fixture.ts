import { type TestClientSurface, TUS } from '../../client-surface.fixture.ts';

export const BYTES = 'application/offset+octet-stream';
export const GIB = 1024 ** 3;
export type Owner = Awaited<ReturnType<TestClientSurface['owner']>>;

/** Requests of a tus client to the server of a test, which is opened before they are sent. */
export function tusRequests(surfaceOf: () => TestClientSurface) {
  /** Pairs in base64; a value of null is a name alone. */
  const pairs = (values: Record<string, string | null>) =>
    Object.entries(values)
      .map(([name, value]) => (value === null ? name : `${name} ${Buffer.from(value).toString('base64')}`))
      .join(',');
  const metadataOf = ({ contentId }: Owner, more: Record<string, string | null> = {}) =>
    pairs({ contentId: `did:reelgraph:content/feature/${contentId}`, filename: 'a.mp4', ...more });
  const create = (owner: Owner, headers: Record<string, string>, body?: string) =>
    fetch(`${surfaceOf().baseUrl}/uploads`, {
      method: 'POST',
      headers: { ...TUS, authorization: owner.authorization, 'upload-metadata': metadataOf(owner), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const ask = (address: string, method: string, headers: Record<string, string> = TUS, body?: string) =>
    fetch(address, { method, headers, ...(body === undefined ? {} : { body }) });
  const newUpload = async (sizeBytes = 10) => surfaceOf().open(await surfaceOf().owner(), { sizeBytes });
  const numbersOf = ({ status, headers }: Response) => [status, headers.get('upload-offset')];
  const uploadsOf = ({ channelId }: Owner) =>
    surfaceOf().rows<{ state: string }>('select state from ingestions where channel_id = $1', [channelId]);
  return { pairs, metadataOf, create, ask, newUpload, numbersOf, uploadsOf };
}
