import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../kernel/ids.ts';
import type { Runner } from '../../../media/index.ts';
import { type Person, type TestCatalog, uuidOf } from '../testing.ts';

const LIMITS = { cpuSeconds: 30, memoryBytes: 4 * 1024 ** 3, outputBytes: 32 * 1024 ** 2, wallMs: 60_000 };

/** A file called `name` that ffmpeg creates; `inputs` are generated sources or the texts in `files`. */
export async function makeVideoFile(
  runner: Runner,
  api: TestCatalog,
  name: string,
  args: readonly string[],
  inputs: readonly string[] = [],
): Promise<Buffer> {
  const folder = await mkdtemp(join(api.platform.config.DATA_DIR, 'video-'));
  try {
    await runner.prepareWorkDir(folder);
    await runner.run('ffmpeg', [...args, name], { cwd: folder, limits: LIMITS, inputs });
    return await readFile(join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A draft with an uploaded video; returns the DID of the content. */
export async function uploadVideo(api: TestCatalog, owner: Person, bytes: Buffer): Promise<string> {
  const content = await api.content(owner, { status: 'DRAFT' });
  await addVideo(api, owner, content, bytes);
  return content;
}

/** An additional video of a content; returns its id. */
export async function addVideo(api: TestCatalog, owner: Person, content: string, bytes: Buffer): Promise<string> {
  api.clock.advance(1);
  const id = newId<'video-asset'>(api.clock.now());
  await api.platform.store.put(`sources/${id}`, bytes, { contentType: 'application/octet-stream' });
  await api.rows(
    `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, created_at)
     values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', $4, $5, $6)`,
    [id, owner.channelId, uuidOf(content), `sources/${id}`, bytes.length, new Date(api.clock.now()).toISOString()],
  );
  return id;
}

/** Submits the newest video of a content and waits until it can be played. */
export async function processUploadedVideo(api: TestCatalog, owner: Person, content: string): Promise<void> {
  await api.ok(owner, 'mutation ($id: DID!) { submitContentForProcessing(id: $id) { content { id } } }', {
    id: content,
  });
  const wait =
    'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 60 }) { status error } }';
  const { waitForProcessing: state } = await api.ok(owner, wait, { id: content });
  if (state.status !== 'COMPLETE') throw new Error(`The video ended as ${state.status}: ${state.error}`);
}
