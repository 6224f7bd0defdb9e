import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { ERROR_CATALOGUE } from '../../server/src/kernel/errors.ts';
import { ApiClient, type Refusal, storedFiles } from './api-client.ts';
import { type FuzzSource, startFuzzSource } from './fuzz-fixtures.ts';
import { type Platform, startPlatform } from './harness.ts';
import { admin } from './instances.ts';
import { type Member, makeMember } from './members.ts';

/**
 * Hostile and invalid requests. Each is refused with a complete error of the catalogue and without partial writes, and
 * the platform keeps serving.
 */
export const VERIFY = '{ verifyConnection { authenticated } }';
export const UNKNOWN_ID = '0190a0c4-0000-7000-8000-000000000000';
export const UNKNOWN = `did:reelgraph:content/feature/${UNKNOWN_ID}`;
const POINTS = 5_000;
const RESTORE = 500;
export const TUS = { 'Tus-Resumable': '1.0.0' };
const OCTETS = { 'Content-Type': 'application/offset+octet-stream' };
export const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

export let platform: Platform;
export let dataDir: string;
export let source: FuzzSource;
export let api: ApiClient;
export let main: Member;
export let other: Member;
export let makeAccount: (name: string) => Promise<Member>;
export let setSubscription: (name: string, state: string, ...flags: string[]) => void;

let opened: Promise<void> | null = null;
/** Files of this process that have not ended yet. */
let waiting = 0;
/** With a filter by name, hooks run only in files with a matching test, so each closes what it opened. */
const isNarrowed = process.execArgv.some((flag) => flag.startsWith('--test-name-pattern'));

/** For the start of a file: one platform serves all of them in this process, until the last has ended. */
export function useFuzzPlatform(): void {
  waiting += 1;
  before(async () => {
    opened ??= open();
    await opened;
  });
  after(async () => {
    waiting -= 1;
    if (waiting > 0 && !isNarrowed) return;
    opened = null;
    source?.close();
    await platform?.stop();
  });
}

async function open(): Promise<void> {
  source = await startFuzzSource();
  const limits = { RATE_LIMIT_POINTS: String(POINTS), RATE_LIMIT_RESTORE: String(RESTORE) };
  // The disk that a journey fills is smaller than the default reserve.
  platform = await startPlatform({ ...limits, FETCH_ALLOW: source.host, STORAGE_RESERVE: '64KiB' });
  const { settings } = platform;
  dataDir = settings.DATA_DIR;
  makeAccount = (name) => makeMember(platform, name);
  setSubscription = (name, state, ...flags) => {
    admin(settings, 'set-subscription', '--username', name, '--plan', 'CREATOR_PLUS', '--state', state, ...flags);
  };
  main = await makeAccount('clumsy');
  other = await makeAccount('hostile');
  api = new ApiClient(platform.baseUrl, main.key);
}

export const CREATE =
  'mutation($channel: DID, $input: ContentInput!) { createContent(channel: $channel, input: $input) { id } }';
export const PUBLISH =
  'mutation($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } job ' +
  '{ status } } }';
const OPEN =
  'mutation($id: DID!, $input: ContentAssetInput!) { createContentAsset(id: $id, input: $input) ' + '{ id endpoint } }';
export const WAIT =
  'mutation($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error content { status } } }';

export const newContent = async (): Promise<string> =>
  (await api.data(CREATE, { input: { title: 'A content' } })).createContent.id;
export const newUpload = async (size: number, media: object = { video: { hint: 'NONE' } }, filename = 'a.mp4') =>
  (await api.data(OPEN, { id: await newContent(), input: { filename, size, ...media } })).createContentAsset as {
    id: string;
    endpoint: string;
  };
export const put = (endpoint: string, body: NonNullable<RequestInit['body']>, headers = {}) =>
  api.send(endpoint, { method: 'PUT', body, headers, duplex: 'half' });
export const patch = (endpoint: string, offset: number, body: NonNullable<RequestInit['body']>, headers = {}) =>
  api.send(endpoint, {
    method: 'PATCH',
    headers: { ...TUS, ...OCTETS, 'Upload-Offset': String(offset), ...headers },
    body,
    duplex: 'half',
  });
export const offsetOf = async (endpoint: string) =>
  Number((await api.send(endpoint, { method: 'HEAD', headers: TUS })).headers.get('upload-offset'));

/** All state that a refused request could have written. */
export async function everything(): Promise<unknown> {
  const { me } = await api.data(
    '{ me { ingestions(first: 1) { totalCount } channel { metadata { name } contents(first: 1) { totalCount } } } }',
  );
  return { ...me, files: storedFiles(dataDir) };
}

/** A table of cases: refused requests must change nothing. */
export function refuses<Input>(
  name: string,
  cases: () => readonly (readonly [string, Input, Refusal])[],
  act: (input: Input) => Promise<Parameters<ApiClient['refused']>[0]>,
) {
  it(name, async () => {
    const was = await everything();
    for (const [what, input, expected] of cases()) {
      try {
        api.refused(await act(input), expected);
      } catch (error) {
        throw new Error(what, { cause: error });
      }
    }
    assert.deepEqual(await everything(), was);
    assert.equal((await api.data(VERIFY)).verifyConnection.authenticated, true);
  });
}

/** The last test of a file: the pages of its errors, and of all others in the catalogue, exist. */
export function respondsOnEveryPage() {
  it('every documentation page of an error exists, and unknown ones are 404', async () => {
    assert.ok(api.pages.size > 0);
    const pages = new Set([
      ...api.pages,
      ...Object.keys(ERROR_CATALOGUE).map((code) => `${platform.baseUrl}/docs/errors/${code.toLowerCase()}`),
    ]);
    assert.ok(pages.size >= 10, [...pages].join(' '));
    for (const page of pages) {
      const response = await api.send(page);
      assert.equal(response.status, 200, page);
      assert.ok(String(response.body).includes(page.slice(page.lastIndexOf('/') + 1).toUpperCase()), page);
    }
    assert.equal((await api.send('/docs/errors/nothing')).status, 404);
    assert.equal((await api.send('/readyz')).status, 200, 'the platform is as ready as it was');
  });
}
