import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../kernel/ids.ts';
import { secretsFrom } from '../../platform/config/secret-key.ts';
import {
  downloadAddress,
  MediaTokens,
  mediaAddress,
  packagePrefix,
  parseMediaPath,
  sourceAddress,
} from './media-address.ts';

const secrets = secretsFrom(Buffer.alloc(32, 1));
const tokens = new MediaTokens(secrets);
const nowMs = Date.UTC(2026, 10, 20, 12, 30);
const context = { baseUrl: 'https://v.example', secrets, nowMs };
const [content, asset, job, image] = [newId(), newId(), newId(), newId()];
const prefix = packagePrefix(content, asset, job, 2);

function parse(address: string): NonNullable<ReturnType<typeof parseMediaPath>> {
  const parsed = parseMediaPath(address.slice('https://v.example/media/'.length));
  assert.ok(parsed, `${address} is not understood`);
  return parsed;
}

function outcomeOf(address: string, atMs: number): string {
  const { target, token } = parse(address);
  assert.ok(token);
  return tokens.verify(target, token, atMs).kind;
}

describe('media addresses', () => {
  it('of public media are the object key below the base address', () => {
    const address = mediaAddress(context, `${prefix}master.m3u8`, true);
    assert.equal(address, `https://v.example/${prefix}master.m3u8`);
    assert.deepEqual(parse(address), {
      target: { kind: 'video', contentId: content, videoAssetId: asset, objectKey: `${prefix}master.m3u8` },
      token: null,
    });
    assert.equal(
      mediaAddress(context, `images/${image}/w640.webp`, true),
      `https://v.example/media/images/${image}/w640.webp`,
    );
  });

  it('of manifests are those of the video, whatever its packages are', () => {
    for (const name of ['master.m3u8', 'manifest.mpd']) {
      const objectKey = `media/${content}/${asset}/${name}`;
      const address = mediaAddress(context, objectKey, false);
      assert.deepEqual(parse(address).target, { kind: 'video', contentId: content, videoAssetId: asset, objectKey });
      assert.equal(outcomeOf(new URL('copy-1/video/1.m4s', address).href, nowMs), 'valid');
    }
  });

  it('of private media are valid for six to seven hours, and the same within an hour', () => {
    const address = mediaAddress(context, `${prefix}master.m3u8`, false);
    assert.equal(outcomeOf(address, nowMs + 6 * 3_600_000), 'valid');
    assert.equal(outcomeOf(address, nowMs + 7 * 3_600_000), 'expired');
    assert.equal(mediaAddress({ ...context, nowMs: nowMs + 60_000 }, `${prefix}master.m3u8`, false), address);
  });

  it('keep their signature for every file of the asset, through relative addresses', () => {
    const segment = new URL('v1080/seg-00001.m4s', mediaAddress(context, `${prefix}master.m3u8`, false)).href;
    assert.equal(outcomeOf(segment, nowMs), 'valid');
  });

  it('are invalid for another asset, another expiry or another key', () => {
    const address = mediaAddress(context, `${prefix}master.m3u8`, false);
    assert.equal(outcomeOf(address.replace(asset, newId()), nowMs), 'forged');
    assert.equal(outcomeOf(address.replace(content, newId()), nowMs), 'forged');
    assert.equal(
      outcomeOf(
        address.replace(/\/s\/(\d+)/, (_, expires) => `/s/${Number(expires) + 3_600}`),
        nowMs,
      ),
      'forged',
    );
    const { target, token } = parse(address);
    assert.ok(token);
    assert.equal(new MediaTokens(secretsFrom(Buffer.alloc(32, 2))).verify(target, token, nowMs).kind, 'forged');
  });

  it('signed with another accepted key are valid, and tell which key it was', () => {
    const address = mediaAddress(context, `${prefix}master.m3u8`, false);
    const { target, token } = parse(address);
    assert.ok(token);
    const changed = new MediaTokens(secretsFrom(Buffer.alloc(32, 2), [Buffer.alloc(32, 1)]));
    for (const remembered of [false, true]) {
      const decision = changed.verify(target, token, nowMs);
      assert.ok(decision.kind === 'valid', String(remembered));
      assert.equal(decision.signer.fingerprint, secrets.fingerprint);
    }
  });

  it('that expire after they were verified are refused', () => {
    const address = mediaAddress(context, `${prefix}master.m3u8`, false);
    assert.equal(outcomeOf(address, nowMs), 'valid');
    assert.equal(outcomeOf(address, nowMs + 7 * 3_600_000), 'expired');
  });

  it('are remembered up to a limit, and never when they are forged', () => {
    const memory = new MediaTokens(secrets);
    for (let at = 0; at < 10_500; at += 1) {
      const { target, token } = parse(mediaAddress(context, `images/${newId()}/a.jpg`, false));
      assert.ok(token);
      assert.equal(memory.verify(target, token, nowMs).kind, 'valid');
    }
    assert.equal(memory.remembered, 10_000);
    const { target, token } = parse(mediaAddress(context, `${prefix}master.m3u8`, false));
    const fresh = new MediaTokens(secrets);
    assert.ok(token);
    assert.equal(fresh.verify(target, { ...token, signature: 'A'.repeat(43) }, nowMs).kind, 'forged');
    assert.equal(fresh.remembered, 0);
  });

  it('do not give viewers access to the uploaded file', () => {
    const played = parse(mediaAddress(context, `${prefix}master.m3u8`, false));
    const source = parse(sourceAddress(context, asset, 'My video #1.mov'));
    assert.deepEqual(source.target, { kind: 'source', videoAssetId: asset, filename: 'My video #1.mov' });
    assert.ok(played.token);
    assert.equal(tokens.verify(source.target, played.token, nowMs).kind, 'forged');
    assert.equal(outcomeOf(sourceAddress(context, asset, 'My video #1.mov'), nowMs), 'valid');
  });

  it('of downloads need their own signature; that of the stream is not enough', () => {
    assert.equal(
      downloadAddress(context, asset, 'video.mp4', 'OPEN'),
      `https://v.example/media/downloads/${asset}/video.mp4`,
    );
    const download = parse(downloadAddress(context, asset, 'audio.m4a', 'SIGNED'));
    assert.deepEqual(download.target, { kind: 'download', videoAssetId: asset, file: 'audio.m4a' });
    assert.equal(outcomeOf(downloadAddress(context, asset, 'audio.m4a', 'SIGNED'), nowMs), 'valid');
    const played = parse(mediaAddress(context, `${prefix}master.m3u8`, false));
    assert.ok(played.token);
    assert.equal(tokens.verify(download.target, played.token, nowMs).kind, 'forged');
    assert.throws(() => mediaAddress(context, `${prefix}downloads/video.mp4`, false));
  });

  const signature = 'a'.repeat(43);
  const nonsense = [
    '',
    'master.m3u8',
    `${content}/${asset}`,
    `${content}/${asset}/index.m3u8`,
    `${content}/${asset}/../../../secret-key`,
    `${content}/${asset}/v/%2e%2e/x`,
    `${content}/${asset}/v/..`,
    `${content}/${asset}/v/.hidden`,
    `${content}/${asset}/v//x`,
    `${content}/${asset}/v/a\\b`,
    `${content.toUpperCase()}/${asset}/v/master.m3u8`,
    `images/${image}`,
    `images/${image}/a/b`,
    'images/x/y',
    `images/${image}/..`,
    `sources/${asset}/video.mp4`,
    `${prefix.slice('media/'.length)}downloads/video.mp4`,
    `downloads/${asset}/video.exe`,
    `downloads/${asset}/video.mp4/x`,
    'downloads/x/video.mp4',
    's/',
    `s/1.${signature}`,
    `s/x.${signature}/${prefix}master.m3u8`,
    `s/1.short/${content}/${asset}/v/master.m3u8`,
    `s/1.${signature}/sources/${asset}/%E0%A4%A`,
    `s/1.${signature}/s/1.${signature}/${content}/${asset}/v/master.m3u8`,
  ];
  for (const path of nonsense)
    it(`refuse ${JSON.stringify(path.replace(content, '<content>').replace(asset, '<asset>').slice(0, 60))}`, () =>
      assert.equal(parseMediaPath(path), null));
});
