import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { patchHeaders, type TestClientSurface, TUS } from '../../client-surface.fixture.ts';
import { BYTES, type Owner, tusRequests } from '../transfer/tus-requests.fixture.ts';

/** Partial uploads and final ones, as tus clients open them on the server of a test. */
export function concatenation(surfaceOf: () => TestClientSurface) {
  const { ask, metadataOf } = tusRequests(surfaceOf);
  const post = ({ authorization }: Pick<Owner, 'authorization'>, headers: Record<string, string>, body?: Buffer) =>
    fetch(`${surfaceOf().baseUrl}/uploads`, {
      method: 'POST',
      headers: { ...TUS, authorization, ...headers, ...(body ? { 'content-type': BYTES } : {}) },
      ...(body ? { body } : {}),
    });
  /** Opens a part of this size; returns its address. */
  const open = async (owner: Owner, sizeBytes: number, headers: Record<string, string> = {}): Promise<string> => {
    const opened = await post(owner, { 'upload-concat': 'partial', 'upload-length': String(sizeBytes), ...headers });
    assert.equal(opened.status, 201);
    return opened.headers.get('location') ?? '';
  };
  const patch = (address: string, offset: number, body: Buffer) =>
    fetch(address, { method: 'PATCH', headers: patchHeaders(offset), body });
  /** A complete part with these bytes. */
  const part = async (owner: Owner, bytes: Buffer): Promise<string> => {
    const address = await open(owner, bytes.length);
    assert.equal((await patch(address, 0, bytes)).status, 204);
    return address;
  };
  const final = (owner: Owner, addresses: readonly string[], headers: Record<string, string> = {}) =>
    post(owner, {
      'upload-concat': `final;${addresses.join(' ')}`,
      'upload-metadata': metadataOf(owner),
      ...headers,
    });
  const idOf = (address: string) => address.split('/uploads/')[1]?.slice(0, 36) ?? '';
  const rowOf = (address: string) =>
    surfaceOf().row<Record<string, unknown>>('select * from ingestions where id = $1', [idOf(address)]);
  const stateOf = async (address: string) => (await rowOf(address)).state;
  /** SHA-256 of what is stored of an upload; null without. */
  const storedOf = async (address: string) => {
    const found = await surfaceOf().platform.store.read(`uploads/${idOf(address)}`);
    return found && sha256(await buffer(found.stream));
  };
  /** Everything that a refused request leaves as it was. */
  const everything = ({ channelId }: Owner) =>
    surfaceOf().rows(
      `select to_jsonb(i) - '{lock_owner,locked_until,lock_requested}'::text[] as row from ingestions i
         where channel_id = $1
       union all select to_jsonb(c) from contents c where channel_id = $1
       union all select to_jsonb(v) from video_assets v where channel_id = $1
       union all select to_jsonb(e) from events e where channel_id = $1
       union all select jsonb_build_object('storage', counter_value('channel:storage', $1)) order by 1`,
      [channelId],
    );
  return { ask, post, open, patch, part, final, idOf, rowOf, stateOf, storedOf, everything };
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
