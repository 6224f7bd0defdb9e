import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listPackage } from './list-package.ts';

const root = await mkdtemp(join(tmpdir(), 'package-'));
after(() => rm(root, { recursive: true, force: true }));

async function packageWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(root, 'p-'));
  await mkdir(join(folder, 'v'));
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  return folder;
}
const COMPLETE = { 'v/index.m3u8': '#EXTM3U', 'v/init.mp4': 'init', 'v/seg-00000.m4s': '12345' };

test('every file is listed with its type and size', async () => {
  assert.deepEqual(await listPackage(await packageWith(COMPLETE)), [
    { path: 'v/index.m3u8', contentType: 'application/vnd.apple.mpegurl', sizeBytes: 7 },
    { path: 'v/init.mp4', contentType: 'video/mp4', sizeBytes: 4 },
    { path: 'v/seg-00000.m4s', contentType: 'video/iso.segment', sizeBytes: 5 },
  ]);
});

test('links and special files in a package are errors', async () => {
  const secret = join(root, 'secret.jpg');
  await writeFile(secret, 'secret');
  const linked = await packageWith(COMPLETE);
  await symlink(secret, join(linked, 'v', 'poster.jpg'));
  await assert.rejects(listPackage(linked), /Unexpected file in the package: v\/poster\.jpg/);
  const hardLinked = await packageWith(COMPLETE);
  await link(secret, join(hardLinked, 'poster.jpg'));
  await assert.rejects(listPackage(hardLinked), /Unexpected file/);
  await assert.rejects(
    listPackage(await packageWith({ ...COMPLETE, core: 'x' })),
    /Unexpected file in the package: core/,
  );
});
