import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform, makeContent } from '../../assets/testing.ts';
import { PLAYER_REQUEST } from '../files/file-request.fixture.ts';
import type { GeneratedFile } from '../files/generated-media.ts';
import { createCaptionsFiles } from './serve-captions.ts';

const MASTER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nv360/index.m3u8\n';

describe('playlists with captions', () => {
  let platform: AssetsTestPlatform;
  before(async () => {
    platform = await createAssetsTestPlatform();
  });
  after(() => platform.close());

  it('are built once, and again when captions change', async () => {
    const { contentId, channelId } = await makeContent(platform);
    const key = `media/${contentId}/${newId()}/abc-1/master.m3u8`;
    await platform.store.put(key, Buffer.from(MASTER), { contentType: 'application/vnd.apple.mpegurl' });
    const make = createCaptionsFiles();
    const request = () => make(platform, key, PLAYER_REQUEST);
    const add = async (label: string): Promise<string> => {
      const id = newId();
      await platform.db.run(
        sql(
          'captions',
          `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
           values ($1, $2, $3, 'en', $4, 'SUBTITLES', 'WEBVTT', now(), now())`,
        ),
        [id, channelId, contentId, label],
      );
      return id;
    };
    const textOf = (file: GeneratedFile | 'missing' | null) => {
      assert.ok(file && file !== 'missing');
      return file.body.toString();
    };
    assert.equal(await request(), null);
    const english = await add('English');
    const first = await request();
    assert.match(textOf(first), new RegExp(`NAME="English".*URI="../captions/${english}/index.m3u8"`));
    assert.equal(await request(), first);
    await add('Signs');
    const second = await request();
    assert.match(textOf(second), /NAME="English".*NAME="Signs"/s);
    assert.notEqual((second as GeneratedFile).etag, (first as GeneratedFile).etag); // checked by textOf
  });
});
