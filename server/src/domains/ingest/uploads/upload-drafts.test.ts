import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Upload } from 'tus-js-client';
import { newId } from '../../../kernel/ids.ts';
import { errorOf, type Owner, openTestClientSurface, type TestClientSurface, TUS } from '../client-surface.fixture.ts';

const did = (kind: string, id: string) => `did:reelgraph:${kind}/${id}`;

interface Draft {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly status: string;
  readonly layout: string;
}

describe('a tus upload that names no content', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());

  const encoded = (metadata: Record<string, string>) =>
    Object.entries(metadata)
      .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
      .join(',');
  const create = ({ authorization }: Owner, metadata: Record<string, string>) =>
    fetch(`${surface.baseUrl}/uploads`, {
      method: 'POST',
      headers: { ...TUS, authorization, 'upload-length': '10', 'upload-metadata': encoded(metadata) },
    });
  /** The drafts of the owner's channel besides the one that every owner has. */
  const draftsOf = ({ channelId, contentId }: Owner) =>
    surface.rows<Draft>(
      'select id, kind, title, status, layout from contents where channel_id = $1 and id <> $2 and deleted_at is null',
      [channelId, contentId],
    );
  const eventsOf = async ({ channelId }: Owner) =>
    (
      await surface.rows<{ type: string }>('select type from events where channel_id = $1 order by id', [channelId])
    ).map(({ type }) => type);
  const only = async (owner: Owner) => {
    const drafts = await draftsOf(owner);
    assert.equal(drafts.length, 1);
    return drafts[0] ?? assert.fail('there is one');
  };

  it('makes a draft, which is processed when the last byte is in', async () => {
    const owner = await surface.owner();
    await new Promise<void>((done, onError) =>
      new Upload(Buffer.from('0123456789'), {
        endpoint: `${surface.baseUrl}/uploads`,
        headers: { authorization: owner.authorization },
        metadata: { filename: 'A_day at the sea.mp4', filetype: 'video/mp4' },
        onSuccess: () => done(),
        onError,
      }).start(),
    );
    const draft = await only(owner);
    assert.deepEqual(
      [draft.kind, draft.title, draft.status, draft.layout],
      ['FEATURE', 'A day at the sea', 'PROCESSING', 'LANDSCAPE'],
    );
    const jobs = await surface.rows('select status from transcode_jobs where content_id = $1', [draft.id]);
    assert.deepEqual(jobs, [{ status: 'QUEUED' }]);
    assert.deepEqual(await eventsOf(owner), ['content.created', 'upload.finished', 'job.updated']);
  });

  it('takes the metadata that Uppy sends, a title and the hint of a short', async () => {
    const owner = await surface.owner();
    const name = { name: 'clip.mov', type: 'video/quicktime', relativePath: 'null' };
    assert.equal((await create(owner, { ...name, title: 'A walk', hint: 'SHORT' })).status, 201);
    const { kind, title, status, layout } = await only(owner);
    assert.deepEqual([kind, title, status, layout], ['SHORT', 'A walk', 'DRAFT', 'PORTRAIT']);
    const [upload] = await surface.rows('select filename, filetype, drafted from ingestions where channel_id = $1', [
      owner.channelId,
    ]);
    assert.deepEqual(upload, { filename: 'clip.mov', filetype: 'video/quicktime', drafted: true });
  });

  it('makes the draft in the channel that it names, where the account may', async () => {
    const [owner, other] = [await surface.owner(), await surface.owner()];
    const there = { filename: 'a.mp4', channelId: did('channel', other.channelId) };
    const refused = await errorOf(await create(owner, there));
    assert.deepEqual([refused.status, refused.code, refused.field], [403, 'UNAUTHORIZED', 'Upload-Metadata.channelId']);
    assert.deepEqual([await draftsOf(other), await draftsOf(owner)], [[], []]);
    await surface.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR')`, [
      other.channelId,
      owner.accountId,
    ]);
    assert.equal((await create(owner, there)).status, 201);
    assert.equal((await only(other)).title, 'a');
    assert.deepEqual(await draftsOf(owner), []);
  });

  it('makes nothing when it is refused', async () => {
    const owner = await surface.owner();
    const cases: [metadata: Record<string, string>, expected: [number, string, string]][] = [
      [{ filename: 'a.png', filetype: 'image/png' }, [400, 'FIELD_REQUIRED', 'Upload-Metadata.contentId']],
      [{ filename: 'a.mp4', title: 'x'.repeat(201) }, [400, 'INVALID_INPUT', 'Upload-Metadata.title']],
      [
        { filename: 'a.mp4', channelId: did('channel', newId()) },
        [404, 'RESOURCE_NOT_FOUND', 'Upload-Metadata.channelId'],
      ],
    ];
    for (const [metadata, expected] of cases) {
      const { status, code, field } = await errorOf(await create(owner, metadata));
      assert.deepEqual([status, code, field], expected);
    }
    assert.deepEqual([await draftsOf(owner), await eventsOf(owner)], [[], []]);
    assert.deepEqual(await surface.rows('select id from ingestions where channel_id = $1', [owner.channelId]), []);
  });

  it('removes the draft when it is cancelled or expires', async () => {
    const owner = await surface.owner();
    const cancelled = (await create(owner, { filename: 'a.mp4' })).headers.get('location') ?? '';
    assert.equal((await fetch(cancelled, { method: 'DELETE', headers: TUS })).status, 204);
    assert.deepEqual(await draftsOf(owner), []);
    assert.equal((await fetch(cancelled, { method: 'HEAD', headers: TUS })).status, 404);
    await create(owner, { filename: 'b.mp4' });
    surface.platform.clock.advance(25 * 3_600_000);
    await surface.uploads.sweep();
    assert.deepEqual(await draftsOf(owner), []);
    const each = ['content.created', 'upload.failed', 'content.deleted', 'job.updated', 'asset.failed'];
    assert.deepEqual(await eventsOf(owner), [...each, ...each]);
  });

  it('keeps a draft that was changed meanwhile, or has another file', async () => {
    const owner = await surface.owner();
    const changed = (await create(owner, { filename: 'a.mp4' })).headers.get('location') ?? '';
    const { id } = await only(owner);
    await surface.rows(`update contents set title = 'Mine', updated_at = updated_at + interval '1 s' where id = $1`, [
      id,
    ]);
    await fetch(changed, { method: 'DELETE', headers: TUS });
    assert.equal((await only(owner)).title, 'Mine');

    const second = await surface.owner();
    const first = (await create(second, { filename: 'a.mp4' })).headers.get('location') ?? '';
    await surface.open(second, { sizeBytes: 10, target: { contentId: (await only(second)).id } });
    await fetch(first, { method: 'DELETE', headers: TUS });
    assert.equal((await draftsOf(second)).length, 1);
  });
});
