import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import {
  errorOf,
  offsetOf,
  openTestClientSurface,
  patchHeaders,
  sendAndBreak,
  type TestClientSurface,
  TUS,
  untilKept,
} from '../../client-surface.fixture.ts';

/** Resumable PUT: parts with Content-Range, as UpChunk and clients of Google Cloud Storage send them. */
describe('parts of a file with Content-Range', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());

  const open = async (sizeBytes: number) => surface.open(await surface.owner(), { sizeBytes });
  const put = (endpoint: string, range: string, body?: string | Buffer, method = 'PUT') =>
    fetch(endpoint, { method, headers: { 'Content-Range': range }, ...(body === undefined ? {} : { body }) });
  /** Status and what has arrived. */
  const replyOf = ({ status, headers }: Response) => [status, headers.get('range')];
  const storedBytes = async (id: string) => {
    const found = await surface.platform.store.read(`uploads/${id}`);
    return found && buffer(found.stream);
  };
  const finished = (assetName: string, receivedBytes: number) => ({
    upload: { state: 'FINISHED', assetName, receivedBytes },
  });

  it('get 308 with what has arrived, and the last one 200', async () => {
    const bytes = randomBytes(250_000);
    const { endpoint, id, assetName } = await open(bytes.length);
    const part = (start: number, end: number) =>
      put(endpoint, `bytes ${start}-${end}/250000`, bytes.subarray(start, end + 1));
    const first = await part(0, 99_999);
    assert.deepEqual([...replyOf(first), first.headers.get('location')], [308, 'bytes=0-99999', null]);
    assert.deepEqual(replyOf(await part(100_000, 199_999)), [308, 'bytes=0-199999']);
    assert.equal(await offsetOf(endpoint), 200_000);
    const last = await part(200_000, 249_999);
    assert.equal(last.status, 200);
    assert.deepEqual(await last.json(), finished(assetName, 250_000));
    assert.deepEqual(await storedBytes(id), bytes);
  });

  it('can be asked for without a body', async () => {
    const { endpoint, assetName } = await open(10);
    assert.deepEqual(replyOf(await put(endpoint, 'bytes */10')), [308, null]);
    await put(endpoint, 'bytes 0-3/*', '1234');
    for (const total of ['10', '*'])
      assert.deepEqual(replyOf(await put(endpoint, `bytes */${total}`)), [308, 'bytes=0-3']);
    await put(endpoint, 'bytes 4-9/10', '567890');
    const answer = await put(endpoint, 'bytes */10');
    assert.deepEqual([answer.status, await answer.json()], [200, finished(assetName, 10)]);
  });

  it('are taken once when they are repeated, or begin before what is missing', async () => {
    const { endpoint, id } = await open(10);
    assert.deepEqual(replyOf(await put(endpoint, 'bytes 0-3/10', '1234')), [308, 'bytes=0-3']);
    assert.deepEqual(replyOf(await put(endpoint, 'bytes 0-3/10', 'xxxx')), [308, 'bytes=0-3']);
    assert.deepEqual(replyOf(await put(endpoint, 'bytes 2-6/10', 'xx567', 'POST')), [308, 'bytes=0-6']);
    assert.equal((await put(endpoint, 'bytes 7-9/10', '890')).status, 200);
    assert.equal((await put(endpoint, 'bytes 7-9/10', 'xxx')).status, 200);
    assert.equal((await storedBytes(id))?.toString(), '1234567890');
  });

  it('are refused behind what is missing, with where to continue, and store nothing', async () => {
    const { endpoint } = await open(10);
    await put(endpoint, 'bytes 0-3/10', '1234');
    const response = await put(endpoint, 'bytes 5-9/10', '67890');
    assert.deepEqual(replyOf(response), [409, 'bytes=0-3']);
    const error = await errorOf(response);
    assert.deepEqual([error.code, error.field], ['UPLOAD_FAILED', 'Content-Range']);
    assert.match(error.suggestedFix, /at byte 4/);
    assert.equal(await offsetOf(endpoint), 4);
  });

  it('are refused when range, size and body do not agree, and store nothing', async () => {
    const { endpoint } = await open(10);
    const cases: [range: string, body: string, status: number, field: string][] = [
      ['bytes 0-4/11', '12345', 422, 'Content-Range'],
      ['bytes 0-10/10', '12345678901', 422, 'Content-Range'],
      ['bytes */11', '', 422, 'Content-Range'],
      ['bytes 0-4/10', '1234', 422, 'Content-Length'],
      ['bytes 0-4/10', '123456', 422, 'Content-Length'],
      ['bytes */10', '12345', 422, 'Content-Length'],
      ['bytes 4-0/10', '12345', 400, 'Content-Range'],
      ['bytes=0-4/10', '12345', 400, 'Content-Range'],
      ['items 0-4/10', '12345', 400, 'Content-Range'],
      ['bytes 0-4', '12345', 400, 'Content-Range'],
    ];
    for (const [range, body, status, field] of cases) {
      const error = await errorOf(await put(endpoint, range, body));
      assert.deepEqual([error.status, error.field], [status, field], range);
    }
    assert.equal(await offsetOf(endpoint), 0);
  });

  it('are counted when sent chunked: what is too much is not stored, what arrived is', async () => {
    const { endpoint } = await open(10);
    const chunked = (range: string, ...parts: string[]) =>
      fetch(endpoint, {
        ...{ method: 'PUT', headers: { 'Content-Range': range }, body: new Blob(parts).stream() },
        duplex: 'half',
      } as RequestInit);
    const short = await chunked('bytes 0-4/10', '12', '3');
    assert.deepEqual(replyOf(short), [422, 'bytes=0-2']);
    assert.equal((await errorOf(short)).code, 'UPLOAD_FAILED');
    assert.deepEqual(replyOf(await chunked('bytes 3-4/10', '4', '5xxx')), [308, 'bytes=0-4']);
    assert.equal(await offsetOf(endpoint), 5);
  });

  it('continue after an interruption where it happened', async () => {
    const bytes = randomBytes(400_000);
    const { endpoint, id } = await open(bytes.length);
    await sendAndBreak(
      endpoint,
      'PUT PATH HTTP/1.1\r\nContent-Length: 400000\r\nContent-Range: bytes 0-399999/400000',
      bytes.subarray(0, 250_000),
      () => untilKept(surface, id, 100_001),
    );
    const answer = await put(endpoint, 'bytes */400000');
    const kept = Number(/^bytes=0-(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1]) + 1;
    assert.ok(answer.status === 308 && kept > 100_000 && kept <= 250_000, `kept ${kept}`);
    assert.equal((await put(endpoint, `bytes ${kept}-399999/400000`, bytes.subarray(kept))).status, 200);
    assert.deepEqual(await storedBytes(id), bytes);
  });

  it('and chunks of tus continue each other', async () => {
    const { endpoint, id } = await open(10);
    await fetch(endpoint, { method: 'PATCH', headers: patchHeaders(0), body: '1234' });
    assert.deepEqual(replyOf(await put(endpoint, 'bytes 4-6/10', '567')), [308, 'bytes=0-6']);
    assert.equal((await fetch(endpoint, { method: 'PATCH', headers: patchHeaders(7), body: '890' })).status, 204);
    assert.equal((await storedBytes(id))?.toString(), '1234567890');
  });

  it('are refused for an upload that was cancelled', async () => {
    const { endpoint } = await open(10);
    await fetch(endpoint, { method: 'DELETE', headers: TUS });
    assert.equal((await put(endpoint, 'bytes 0-3/10', '1234')).status, 410);
    assert.equal((await put(endpoint, 'bytes */10')).status, 410);
  });
});
