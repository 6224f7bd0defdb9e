import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { sql } from '../../../platform/db/statement.ts';
import { runAdminCommand } from '../../accounts/index.ts';
import { createAssetsTestPlatform, makeContent } from '../testing.ts';
import { LIST_STORAGE_COMMAND } from './list-storage.command.ts';

it('list-storage prints originals, derived files and totals of the largest channels, and of all', async () => {
  const platform = await createAssetsTestPlatform();
  const list = async (...argv: string[]) => {
    const { exitCode, stdout } = await runAdminCommand(['list-storage', ...argv], platform, LIST_STORAGE_COMMAND);
    return exitCode === 0 ? JSON.parse(stdout) : exitCode;
  };
  try {
    const [small, large, empty] = [
      await makeContent(platform),
      await makeContent(platform),
      await makeContent(platform),
    ];
    for (const [{ channelId, contentId }, size] of [
      [small, 100],
      [large, 2_000],
    ] as const)
      await platform.db.run(
        sql(
          'stored',
          `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, derived_bytes)
           values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || $1::uuid, $4::bigint, 5 * $4::bigint)`,
        ),
        [newId(), channelId, contentId, size],
      );
    const row = ({ channelId, accountId }: typeof small, usedBytes: number, derivedBytes: number) => ({
      channelId: `did:reelgraph:channel/${channelId}`,
      handle: `u${accountId.slice(-12)}`,
      owner: `u${accountId.slice(-12)}`,
      ...{ originalBytes: usedBytes, usedBytes, derivedBytes, totalBytes: usedBytes + derivedBytes },
    });
    const total = { originalBytes: 2_100, usedBytes: 2_100, derivedBytes: 10_500, totalBytes: 12_600 };
    const channels = [row(large, 2_000, 10_000), row(small, 100, 500), row(empty, 0, 0)];
    assert.deepEqual(await list(), { total, channels });
    assert.deepEqual(await list('--limit', '1'), { total, channels: channels.slice(0, 1) });
    assert.equal(await list('--limit', 'all'), 2);
  } finally {
    await platform.close();
  }
});
