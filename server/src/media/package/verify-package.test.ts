import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { avcCodecs } from '../inspect/mp4-boxes.ts';
import { checkAlignment, isDurationPlausible, listPackage, readRendition } from './verify-package.ts';

const root = await mkdtemp(join(tmpdir(), 'package-'));
after(() => rm(root, { recursive: true, force: true }));

async function packageWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(root, 'p-'));
  await mkdir(join(folder, 'v'));
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  return folder;
}
const PLAYLIST =
  '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\nseg-00000.m4s\n#EXT-X-ENDLIST\n';
const COMPLETE = { 'v/index.m3u8': PLAYLIST, 'v/init.mp4': 'init', 'v/seg-00000.m4s': '12345' };

test('a complete rendition is read with sizes', async () => {
  const folder = await packageWith(COMPLETE);
  const rendition = await readRendition(folder, 'v', await listPackage(folder));
  assert.deepEqual(rendition.segments, [{ durationSeconds: 4, sizeBytes: 5 }]);
  assert.equal(rendition.init.toString(), 'init');
});

const broken: [name: string, files: Record<string, string>, message: RegExp][] = [
  ['without a playlist', { 'v/init.mp4': 'x' }, /No playlist/],
  ['without an initialisation segment', { 'v/index.m3u8': PLAYLIST, 'v/seg-00000.m4s': '1' }, /No playlist or init/],
  [
    'with a missing segment',
    { ...COMPLETE, 'v/index.m3u8': PLAYLIST.replace('seg-00000', 'seg-00009') },
    /missing or empty/,
  ],
  ['with an empty segment', { ...COMPLETE, 'v/seg-00000.m4s': '' }, /missing or empty/],
  ['that is not finished', { ...COMPLETE, 'v/index.m3u8': PLAYLIST.replace('#EXT-X-ENDLIST\n', '') }, /not complete/],
  [
    'without segments',
    { ...COMPLETE, 'v/index.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI="init.mp4"\n#EXT-X-ENDLIST\n' },
    /not complete/,
  ],
];
for (const [name, files, message] of broken) {
  test(`a rendition ${name} is an error`, async () => {
    const folder = await packageWith(files);
    await assert.rejects(async () => readRendition(folder, 'v', await listPackage(folder)), {
      name: 'PackageError',
      message,
    });
  });
}

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

const rung = (folder: string, ...durations: number[]) => ({
  folder,
  segments: durations.map((durationSeconds) => ({ durationSeconds, sizeBytes: 1 })),
});

test('renditions with aligned cuts are accepted, others are not', () => {
  checkAlignment([]);
  checkAlignment([rung('a', 4, 4, 1), rung('b', 4, 4, 1.04)]);
  assert.throws(() => checkAlignment([rung('a', 4, 4), rung('b', 4)]), /b has 1 segments, a has 2/);
  assert.throws(
    () => checkAlignment([rung('a', 4, 4, 1), rung('b', 3, 5, 1)]),
    /Segment 1 of b starts at 3 s, not 4 s/,
  );
});

test('a truncated video is detected, rounding is ignored', () => {
  assert.equal(isDurationPlausible(60.03, 60_000), true);
  assert.equal(isDurationPlausible(1, 1_060), true);
  assert.equal(isDurationPlausible(20, 60_000), false);
});

test('the codec string is read from the decoder configuration', () => {
  assert.equal(
    avcCodecs(Buffer.concat([Buffer.from('....avcC'), Buffer.from([1, 0x64, 0x00, 0x28, 0xff])])),
    'avc1.640028',
  );
  assert.equal(avcCodecs(Buffer.from('....mp4a')), null);
  assert.equal(avcCodecs(Buffer.from('avcC')), null);
});
