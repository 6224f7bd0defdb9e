import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Refusal, storedFiles } from '../support/api-client.ts';
import { fillDisk, png } from '../support/fuzz-fixtures.ts';
import {
  api,
  dataDir,
  everything,
  main,
  newContent,
  newUpload,
  offsetOf,
  other,
  PUBLISH,
  patch,
  platform,
  put,
  respondsOnEveryPage,
  source,
  TUS,
  useFuzzPlatform,
  VERIFY,
  WAIT,
} from '../support/fuzz-platform.ts';

useFuzzPlatform();

describe('uploads', () => {
  const chunked = (bytes: number) => new Blob([new Uint8Array(bytes)]).stream();
  it('shorter or longer than declared are refused, by PUT and by tus, and the correct file is accepted afterwards', async () => {
    const { endpoint } = await newUpload(1_000);
    const refused: [string, () => ReturnType<typeof put>, Refusal, number][] = [
      ['PUT shorter', () => put(endpoint, Buffer.alloc(999)), 'UPLOAD_FAILED Content-Length', 0],
      ['PUT longer', () => put(endpoint, Buffer.alloc(1_001)), 'UPLOAD_FAILED Content-Length', 0],
      ['PUT of nothing', () => put(endpoint, ''), 'UPLOAD_FAILED Content-Length', 0],
      ['chunked PUT longer', () => put(endpoint, chunked(200_000)), 'UPLOAD_FAILED Content-Length', 0],
      [
        'PUT of a part of another file',
        () => put(endpoint, Buffer.alloc(1_000), { 'Content-Range': 'bytes 0-999/2000' }),
        'UPLOAD_FAILED Content-Range',
        0,
      ],
      ['PATCH longer', () => patch(endpoint, 0, Buffer.alloc(1_001)), 'UPLOAD_FAILED', 0],
      ['PATCH at a wrong offset', () => patch(endpoint, 5, Buffer.alloc(10)), 'UPLOAD_FAILED', 0],
      ['PATCH at a negative offset', () => patch(endpoint, -1, Buffer.alloc(10)), 'INVALID_INPUT Upload-Offset', 0],
      [
        'PATCH of another type',
        () => patch(endpoint, 0, Buffer.alloc(10), { 'Content-Type': 'video/mp4' }),
        'INVALID_INPUT',
        0,
      ],
      [
        'PATCH of another version',
        () => patch(endpoint, 0, Buffer.alloc(10), { 'Tus-Resumable': '0.2' }),
        'INVALID_INPUT',
        0,
      ],
      ['chunked PUT shorter', () => put(endpoint, chunked(500)), 'UPLOAD_FAILED', 500],
    ];
    for (const [what, act, expected, offset] of refused) {
      api.refused(await act(), expected);
      assert.equal(await offsetOf(endpoint), offset, what);
    }
    assert.equal((await put(endpoint, Buffer.alloc(1_000))).status, 200);
    api.refused(await put(endpoint, Buffer.alloc(1_000)), 'RESOURCE_ALREADY_EXISTS');
  });

  it('sent concurrently are accepted once', async () => {
    const { endpoint } = await newUpload(200_000);
    const bytes = Buffer.alloc(200_000, 7);
    const responses = await Promise.all(Array.from({ length: 6 }, () => put(endpoint, bytes)));
    for (const response of responses)
      assert.ok([200, 409, 503].includes(response.status), JSON.stringify(response.body));
    assert.ok((await put(endpoint, bytes)).status < 410);
    assert.equal(await offsetOf(endpoint), 200_000);
    const id = endpoint.slice(endpoint.lastIndexOf('/') + 1).slice(0, 36);
    assert.ok(readFileSync(join(dataDir, 'objects/uploads', id)).equals(bytes));
  });

  it('refuse guessed addresses and invalid creations', async () => {
    const { endpoint } = await newUpload(10);
    const bare = endpoint.slice(0, endpoint.lastIndexOf('/') + 37);
    api.refused(
      await put(`${endpoint.slice(0, -1)}${endpoint.endsWith('A') ? 'B' : 'A'}`, 'x'.repeat(10)),
      'RESOURCE_NOT_FOUND',
    );
    api.refused(await put(bare, 'x'.repeat(10)), 'UNAUTHENTICATED');
    api.refused(await put(bare, 'x'.repeat(10), { authorization: `Bearer ${other.key}` }), 'RESOURCE_NOT_FOUND');
    const was = await everything();
    const good = { contentId: await newContent(), filename: 'a.mp4' };
    const creations: [Record<string, string>, Record<string, string>, Refusal][] = [
      [good, { authorization: '' }, 'UNAUTHENTICATED'],
      [good, { authorization: `Bearer ${other.key}` }, 'RESOURCE_NOT_FOUND Upload-Metadata.contentId'],
      [good, { 'Upload-Length': '-1' }, 'INVALID_INPUT Upload-Length'],
      [good, { 'Upload-Length': '1.5' }, 'INVALID_INPUT Upload-Length'],
      [good, { 'Upload-Length': '9'.repeat(30) }, 'INVALID_INPUT Upload-Length'],
      [{ ...good, contentId: main.channelId }, {}, 'INVALID_INPUT Upload-Metadata.contentId'],
      [{ ...good, hint: 'MOVIE' }, {}, 'INVALID_INPUT Upload-Metadata.hint'],
      [good, { 'Upload-Metadata': 'filename !!!' }, 'INVALID_INPUT Upload-Metadata'],
    ];
    for (const [metadata, headers, expected] of creations) {
      const encoded = Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(',');
      const all = {
        ...TUS,
        authorization: `Bearer ${main.key}`,
        'Upload-Length': '5',
        'Upload-Metadata': encoded,
        ...headers,
      };
      api.refused(await api.send('/uploads', { method: 'POST', headers: all }), expected);
    }
    const now = await everything();
    assert.deepEqual({ ...(now as object), channel: null }, { ...(was as object), channel: null });
  });

  it('of decompression bombs and invalid images fail, with no file left', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
    const pictures: [string, Buffer][] = [
      ['a bomb', png(30_000, 30_000)],
      ['a wide bomb', png(20_000, 10)],
      ['fewer rows than it declares', png(4_000, 4_000, 10)],
      ['cut short', png(100, 100).subarray(0, 50)],
      ['SVG', Buffer.from(svg)],
      ['text', Buffer.from('text')],
      ['video', Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), Buffer.alloc(99)])],
    ];
    const was = storedFiles(dataDir);
    for (const [what, bytes] of pictures) {
      const { id, endpoint } = await newUpload(bytes.length, { image: { hint: 'POSTER' } }, 'picture.png');
      const response = await put(endpoint, bytes);
      api.refused(response, 'TRANSCODE_FAILED');
      assert.equal(response.status, 422, what);
      const { node } = await api.data(`{ node(id: "${id}") { ... on IngestionSession { state error } } }`);
      assert.deepEqual([node.state, typeof node.error], ['FAILED', 'string'], what);
    }
    assert.deepEqual(storedFiles(dataDir), was);
  });

  it('get SERVICE_UNAVAILABLE on a full disk, keep acknowledged bytes, and continue when there is space', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
    const { endpoint } = await newUpload(bytes.length);
    const picture = await newUpload(2_000, { image: { hint: 'POSTER' } });
    const idOf = (address: string) => address.slice(address.lastIndexOf('/') + 1).slice(0, 36);
    const disk = fillDisk(join(dataDir, 'objects'), [idOf(endpoint), idOf(picture.endpoint)]);
    try {
      const full = await put(endpoint, bytes);
      api.refused(full, 'SERVICE_UNAVAILABLE');
      assert.equal(full.status, 503);
      assert.ok(Number(full.headers.get('retry-after')) > 0);
      api.refused(
        await patch(endpoint, await offsetOf(endpoint), bytes.subarray(await offsetOf(endpoint))),
        'SERVICE_UNAVAILABLE',
      );
      disk.fill();
      api.refused(await put(picture.endpoint, Buffer.alloc(2_000)), 'SERVICE_UNAVAILABLE');
      assert.equal((await api.data(VERIFY)).verifyConnection.authenticated, true);
      disk.makeRoom();
      const offset = await offsetOf(endpoint);
      assert.equal((await patch(endpoint, offset, bytes.subarray(offset))).status, 204);
      assert.ok(readFileSync(join(dataDir, 'objects/uploads', idOf(endpoint))).equals(bytes));
    } finally {
      disk.restore();
    }
  });
});

describe('processing', () => {
  /** Waits for all concurrently and returns their results. */
  const ends = (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (id) => (await api.data(WAIT, { input: { contentId: id, timeoutSeconds: 30 } })).waitForProcessing),
    );
  /** Uploaded files are kept; there may be no derived files. */
  const created = () => storedFiles(dataDir).filter((path) => !/^objects\/(uploads|sources)\//.test(path));

  it('of files disguised as .mp4 ends in FAILED with a message, and creates no file', async () => {
    const playlist = '#EXTM3U\n#EXTINF:5,\nfile:///etc/passwd\n#EXT-X-ENDLIST';
    const cases: [string, string | Buffer, RegExp][] = [
      ['text', 'hello, this is text', /is text/],
      ['a playlist', playlist, /playlist/],
      ['a concat script', "ffconcat version 1.0\nfile '/etc/passwd'", /playlist/],
      ['a shell script', '#!/bin/sh\nrm -rf /', /script/],
      ['a page', '<!doctype html><script>1</script>', /script/],
      ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>', /image/],
      ['a picture', png(10, 10), /image/],
      ['an archive', Buffer.from('504b0304aaaa', 'hex'), /archive/],
      ['zeros', Buffer.alloc(4_096), /not in a media format/],
      [
        'the start of a video',
        Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), Buffer.alloc(500)]),
        /damaged/,
      ],
      ['a playlist behind a box', Buffer.from(`\0\0\0\x08free${playlist}`, 'latin1'), /damaged/],
    ];
    const before = created();
    const ids: string[] = [];
    for (const [what, body] of cases) {
      const bytes = Buffer.from(body);
      const { publishVideo } = await api.data(PUBLISH, {
        input: { title: what, filename: 'video.mp4', size: bytes.length },
      });
      assert.equal((await put(publishVideo.upload.endpoint, bytes)).status, 200);
      ids.push(publishVideo.content.id);
    }
    for (const [index, end] of (await ends(ids)).entries()) {
      assert.deepEqual([end.status, end.content.status], ['ERROR', 'FAILED'], cases[index]?.[0]);
      assert.match(end.error, cases[index]?.[2] ?? /never/);
      api.refused(await api.graphql(`mutation { publishContent(id: "${ids[index]}") { id } }`), 'INVALID_INPUT id');
    }
    assert.deepEqual(created(), before);
  });

  it('of private, looping and missing sources ends in FAILED with a message', async () => {
    const to = (url: string) => `/to/${encodeURIComponent(url)}`;
    const cases: [string, RegExp][] = [
      [to('http://169.254.169.254/'), /not on the public internet/],
      [to(`${platform.baseUrl}/healthz`), /not on the public internet/],
      [to('http://2130706433:4000/'), /not on the public internet/],
      [to('http://[::ffff:10.0.0.1]/'), /not on the public internet/],
      [to('file:///etc/passwd'), /not supported/],
      ['/loop', /redirects more than/],
      ['/missing', /status 404/],
      ['/huge', /larger than/],
      ['/empty', /empty/],
      ['/playlist', /playlist/],
    ];
    const before = created();
    const ids: string[] = [];
    for (const [path] of cases)
      ids.push(
        (await api.data(PUBLISH, { input: { title: path.slice(0, 50), sourceUrl: source.url + path } })).publishVideo
          .content.id,
      );
    for (const [index, end] of (await ends(ids)).entries()) {
      assert.deepEqual([end.status, end.content.status], ['ERROR', 'FAILED'], cases[index]?.[0]);
      assert.match(end.error, cases[index]?.[1] ?? /never/);
    }
    assert.deepEqual(created(), before);
  });

  it('of interrupted sources does not crash the platform', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1)
      ids.push(
        (await api.data(PUBLISH, { input: { title: 'reset', sourceUrl: `${source.url}/reset` } })).publishVideo.content
          .id,
      );
    const resets = () => source.asked.filter((path) => path === '/reset').length;
    for (let waits = 0; waits < 100 && resets() < 8; waits += 1) await sleep(100);
    assert.ok(resets() >= 8);
    for (const id of ids) await api.data(`mutation { deleteContent(id: "${id}") { __typename } }`);
  });

  it('of an endless source stops when its content is deleted, with nothing kept', async () => {
    const before = storedFiles(dataDir);
    const { publishVideo } = await api.data(PUBLISH, { input: { title: 'slow', sourceUrl: `${source.url}/slow` } });
    while (
      !(await api.data(`{ content(id: "${publishVideo.content.id}") { transcodeJob { startedAt } } }`)).content
        .transcodeJob.startedAt
    )
      await sleep(100);
    await api.data(`mutation { deleteContent(id: "${publishVideo.content.id}") { __typename } }`);
    await source.left;
    for (let waits = 0; waits < 50 && storedFiles(dataDir).length > before.length; waits += 1) await sleep(100);
    assert.deepEqual(storedFiles(dataDir), before);
  });
});

respondsOnEveryPage();
