import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, type Refusal, storedFiles } from './api-client.ts';
import { type Platform, startPlatform } from './harness.ts';
import { fillDisk, type HostileSource, png, startHostileSource } from './hostile-props.ts';
import { admin } from './instances.ts';

/**
 * What the hostile and the clumsy send. Each is refused with a complete error of the catalogue, leaves nothing half-made behind, and
 * the platform goes on serving.
 */
const VERIFY = '{ verifyConnection { authenticated } }';
const UNKNOWN_ID = '0190a0c4-0000-7000-8000-000000000000';
const UNKNOWN = `did:reelgraph:content/feature/${UNKNOWN_ID}`;
const POINTS = 5_000;
const RESTORE = 500;
const TUS = { 'Tus-Resumable': '1.0.0' };
const OCTETS = { 'Content-Type': 'application/offset+octet-stream' };
const repeat = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ');

interface Account {
  readonly key: string;
  readonly channelId: string;
  readonly password: string;
}

let platform: Platform;
let dataDir: string;
let source: HostileSource;
let api: ApiClient;
let main: Account;
let other: Account;
let makeAccount: (name: string) => Account;
let setSubscription: (name: string, state: string, ...flags: string[]) => void;

before(async () => {
  source = await startHostileSource();
  const limits = { RATE_LIMIT_POINTS: String(POINTS), RATE_LIMIT_RESTORE: String(RESTORE) };
  platform = await startPlatform({ ...limits, FETCH_ALLOW: source.host });
  dataDir = join(platform.folder, 'data');
  const env = { DATA_DIR: dataDir, BASE_URL: platform.baseUrl, PORT: new URL(platform.baseUrl).port };
  makeAccount = (name) => {
    const made = admin(env, 'create-account', '--email', `${name}@example.com`, '--username', name, '--plan', 'CREATOR_PLUS', '--api-key');
    return { key: made.apiKey ?? '', channelId: made.channelId ?? '', password: made.password ?? '' };
  };
  setSubscription = (name, state, ...flags) => {
    admin(env, 'set-subscription', '--username', name, '--plan', 'CREATOR_PLUS', '--state', state, ...flags);
  };
  main = makeAccount('clumsy');
  other = makeAccount('hostile');
  api = new ApiClient(platform.baseUrl, main.key);
});
after(async () => {
  source?.close();
  await platform?.stop();
});

const CREATE = 'mutation($channel: DID, $input: CreateContentInput!) { createContent(channel: $channel, input: $input) { id } }';
const PUBLISH =
  'mutation($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } job { status } } }';
const OPEN = 'mutation($id: DID!, $input: CreateContentAssetInput!) { createContentAsset(id: $id, input: $input) { id endpoint } }';
const WAIT = 'mutation($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error content { status } } }';

const newContent = async (): Promise<string> => (await api.data(CREATE, { input: { title: 'A content' } })).createContent.id;
const newUpload = async (size: number, media: object = { video: { hint: 'LANDSCAPE_VIDEO' } }, filename = 'a.mp4') =>
  (await api.data(OPEN, { id: await newContent(), input: { filename, size, ...media } })).createContentAsset as {
    id: string;
    endpoint: string;
  };
const put = (endpoint: string, body: NonNullable<RequestInit['body']>, headers = {}) =>
  api.send(endpoint, { method: 'PUT', body, headers, duplex: 'half' });
const patch = (endpoint: string, offset: number, body: NonNullable<RequestInit['body']>, headers = {}) =>
  api.send(endpoint, {
    method: 'PATCH',
    headers: { ...TUS, ...OCTETS, 'Upload-Offset': String(offset), ...headers },
    body,
    duplex: 'half',
  });
const offsetOf = async (endpoint: string) =>
  Number((await api.send(endpoint, { method: 'HEAD', headers: TUS })).headers.get('upload-offset'));

/** All that a refused request could have left behind. */
async function everything(): Promise<unknown> {
  const { me } = await api.data(
    '{ me { ingestions(first: 1) { totalCount } channel { metadata { name } contents(first: 1) { totalCount } } } }',
  );
  return { ...me, files: storedFiles(dataDir) };
}

/** A table of cases: what is refused must leave everything as it was. */
function refuses<Input>(
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

describe('credentials', () => {
  refuses<readonly [string, string | undefined]>(
    'that are missing, malformed or in the wrong place are UNAUTHENTICATED',
    () => {
      const wrongSum = main.key.slice(0, -1) + (main.key.endsWith('a') ? 'b' : 'a');
      const bearer = `Bearer ${main.key}`;
      return [
        ['none', ['', undefined], 'UNAUTHENTICATED'],
        ['malformed', ['', 'Bearer nonsense'], 'UNAUTHENTICATED'],
        ['mistyped', ['', `Bearer ${wrongSum}`], 'UNAUTHENTICATED'],
        ['cut short', ['', `Bearer ${main.key.slice(0, 20)}`], 'UNAUTHENTICATED'],
        ['well-formed and unknown', ['', `Bearer rg_${'a'.repeat(38)}`], 'UNAUTHENTICATED'],
        ['another scheme', ['', `Basic ${btoa('a:b')}`], 'UNAUTHENTICATED'],
        ['twice', ['', `${bearer}, ${bearer}`], 'UNAUTHENTICATED'],
        ['in the address', [`?api_key=${main.key}`, undefined], 'UNAUTHENTICATED api_key'],
        ['in the address as well', [`?x=${main.key}`, bearer], 'UNAUTHENTICATED x'],
        ['as a name in the address', [`?${main.key}`, bearer], 'UNAUTHENTICATED'],
      ];
    },
    async ([search, authorization]) => {
      const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
      const answer = await api.send(`/graphql${search}`, { method: 'POST', headers, body: JSON.stringify({ query: VERIFY }) });
      assert.equal(answer.status, 401);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
      return answer;
    },
  );

  it('of a lapsed subscription or an ended trial are UNAUTHORIZED and say what to do', async () => {
    const lapsed = makeAccount('lapsed');
    const trial = makeAccount('trial');
    setSubscription('lapsed', 'EXPIRED');
    setSubscription('trial', 'TRIALING', '--ends-at', '2020-01-01T00:00:00Z');
    for (const { key } of [lapsed, trial]) {
      const answer = await api.graphql(VERIFY, {}, key);
      assert.equal(answer.status, 403);
      assert.match(api.refused(answer, 'UNAUTHORIZED'), /expired|ended/);
      api.refused(
        await api.send('/uploads', { method: 'POST', headers: { ...TUS, authorization: `Bearer ${key}`, 'Upload-Length': '5' } }),
        'UNAUTHORIZED',
      );
    }
  });

  it('that were replaced are refused at once', async () => {
    const { key, password } = makeAccount('forgetful');
    api.refused(await api.graphql('mutation { regenerateApiKey { key } }', {}, key), 'UNAUTHORIZED');
    const signIn = { method: 'POST', headers: { 'content-type': 'application/json', origin: platform.baseUrl } };
    const { headers } = await api.send('/api/auth/sign-in/email', {
      ...signIn,
      body: JSON.stringify({ email: 'forgetful@example.com', password }),
    });
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const regenerate = (origin: string) => api.graphql('mutation { regenerateApiKey { key } }', {}, '', { cookie, origin });
    api.refused(await regenerate('http://evil.example'), 'UNAUTHORIZED');
    assert.equal((await api.graphql(VERIFY, {}, key)).status, 200);
    assert.equal((await regenerate(platform.baseUrl)).status, 200);
    api.refused(await api.graphql(VERIFY, {}, key), 'UNAUTHENTICATED');
  });
});

describe('requests to /graphql', () => {
  const text = JSON.stringify({ query: VERIFY });
  refuses(
    'that are not GraphQL over HTTP are refused with their own status',
    () =>
      [
        ['a batch', { body: `[${text}]` }, 'INVALID_INPUT'],
        ['a number', { body: '5' }, 'INVALID_INPUT'],
        ['broken JSON', { body: '{"query":' }, 'INVALID_INPUT'],
        ['bytes that are no text', { body: Buffer.from([0x7b, 0xff]) }, 'INVALID_INPUT'],
        ['nothing', { body: '' }, 'FIELD_REQUIRED'],
        ['no query', { body: '{}' }, 'FIELD_REQUIRED query'],
        ['variables as text', { body: JSON.stringify({ query: VERIFY, variables: '{}' }) }, 'INVALID_INPUT variables'],
        ['a wrong operationName', { body: JSON.stringify({ query: VERIFY, operationName: 5 }) }, 'INVALID_INPUT operationName'],
        ['2 MiB', { body: JSON.stringify({ query: VERIFY + ' '.repeat(2 ** 21) }) }, 'INVALID_INPUT'],
        ['a form', { body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'INVALID_INPUT'],
        ['bare GraphQL', { body: VERIFY, headers: { 'content-type': 'application/graphql' } }, 'INVALID_INPUT'],
        ['another charset', { body: text, headers: { 'content-type': 'application/json; charset=utf-16' } }, 'INVALID_INPUT'],
        ['a compressed body', { body: text, headers: { 'content-encoding': 'gzip' } }, 'INVALID_INPUT'],
        ['an XML reader', { body: text, headers: { accept: 'application/xml' } }, 'INVALID_INPUT'],
        ['PUT', { method: 'PUT', body: text }, 'INVALID_INPUT'],
        ['GET without query', { method: 'GET' }, 'FIELD_REQUIRED query'],
        [
          'GET with a mutation',
          { method: 'GET', search: 'mutation { createContent(input: {title: "x"}) { id } }' },
          'GRAPHQL_VALIDATION_FAILED',
        ],
      ] as [string, RequestInit & { search?: string }, Refusal][],
    async ({ search, headers, ...init }) => {
      const all = { authorization: `Bearer ${main.key}`, 'content-type': 'application/json', ...headers };
      const answer = await api.send(`/graphql${search ? `?query=${encodeURIComponent(search)}` : ''}`, {
        method: 'POST',
        headers: all,
        ...init,
      });
      assert.ok([400, 405, 406, 413, 415].includes(answer.status), String(answer.status));
      return answer;
    },
  );

  const cycle = 'fragment A on Query { ...B } fragment B on Query { ...A }';
  const doubling = repeat(25, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
  refuses(
    'with documents made to hurt are refused before they run',
    () =>
      [
        ['no document', ''],
        ['broken off', '{ verifyConnection {'],
        ['a field that is not there', '{ nope }'],
        ['a subscription', 'subscription { me }'],
        ['two operations', `query A ${VERIFY} query B ${VERIFY}`, 'GRAPHQL_VALIDATION_FAILED operationName'],
        ['31 aliases', `{ verifyConnection { ${repeat(31, (i) => `a${i}: authenticated`)} } }`],
        ['11 root fields', `{ ${repeat(11, (i) => `a${i}: rateLimit { __typename }`)} }`],
        ['depth', `{ features { edges { node { ${'channel { features { edges { node { '.repeat(8)} id ${'} } } }'.repeat(8)} } } } }`],
        ['cost', '{ features(first: 100) { edges { node { channel { features(first: 100) { edges { node { id } } } } } } } }'],
        ['a fragment cycle', `{ ...A } ${cycle}`],
        ['doubling fragments', `{ ...F0 } ${doubling} fragment F25 on Query { __typename }`],
        ['50,000 fields', `{ verifyConnection { ${'authenticated '.repeat(50_000)} } }`],
        ['nested brackets', `{ nodes(ids: ${'['.repeat(100_000)}`],
        ['nested introspection', `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} }'.repeat(4)} } } }`],
        ['directives', `{ verifyConnection { authenticated ${'@include(if: true) '.repeat(5_000)} } }`],
      ].map(([what, query, expected = 'GRAPHQL_VALIDATION_FAILED']) => [what, query, expected] as [string, string, Refusal]),
    async (query) => {
      const started = performance.now();
      const answer = await api.graphql(query, {}, main.key, { accept: 'application/graphql-response+json' });
      assert.ok(performance.now() - started < 2_000);
      assert.equal(answer.status, 400);
      return answer;
    },
  );

  it('show the schema to keys, and to nobody else', async () => {
    const query = '{ __schema { queryType { name } } }';
    assert.equal((await api.data(query)).__schema.queryType.name, 'Query');
    for (const document of [query, '{ __typename }', '{ __type(name: "Me") { name } }'])
      api.refused(await api.graphql(document, {}, ''), 'UNAUTHENTICATED');
  });

  it('are RATE_LIMIT_EXCEEDED when the account has used its points up, and run again after Retry-After', async () => {
    const { key } = makeAccount('greedy');
    const ten = repeat(10, (i) => `a${i}: createContent(input: {title: "x"}) { id }`);
    for (let calls = 0; calls < 3; calls += 1) await api.graphql(`mutation { ${ten} }`, {}, key);
    const list = 'me { channel { contents(first: 30) { edges { node { channel { id } } } } } }';
    const spend = () => api.graphql(`{ ${repeat(9, (i) => `a${i}: ${list}`)} }`, {}, key);
    let answer = await spend();
    for (let calls = 1; answer.status === 200 && calls < 40; calls += 1) answer = await spend();
    assert.equal(answer.status, 429);
    api.refused(answer, 'RATE_LIMIT_EXCEEDED');
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 3, `Retry-After: ${seconds}`);
    assert.equal((await api.graphql(VERIFY)).status, 200, 'other accounts are not concerned');
    await sleep(seconds * 1_000);
    assert.equal((await spend()).status, 200);
  });
});

describe('arguments', () => {
  const page = (args: string, field: string): [string, [string, object], Refusal] => [
    args,
    [`{ features(${args}) { totalCount edges { cursor } } }`, {}],
    `INVALID_INPUT ${field}`,
  ];
  const read = (id: unknown, expected: Refusal): [string, [string, object], Refusal] => [
    String(id),
    ['query($id: DID!) { content(id: $id) { id } }', { id }],
    expected,
  ];
  refuses<readonly [string, object]>(
    'of lists and identifiers that are wrong name their field',
    () => [
      ...['first: 0', 'first: -1', 'first: 101'].map((args) => page(args, 'first')),
      ...['last: 0', 'last: 101', 'first: 1, last: 1'].map((args) => page(args, 'last')),
      ...['after: ""', 'after: "x"', `after: "${'A'.repeat(5_000)}"`].map((args) => page(args, 'after')),
      page('last: 1, before: "bnVsbA"', 'before'),
      ['a text for a number', ['query($n: Int) { features(first: $n) { totalCount } }', { n: '1' }], 'GRAPHQL_VALIDATION_FAILED n'],
      ['101 ids', ['query($ids: [DID!]!) { nodes(ids: $ids) { id } }', { ids: Array(101).fill(UNKNOWN) }], 'INVALID_INPUT ids'],
      ...['', 'x', main.channelId.replace('reelgraph', 'else'), `${UNKNOWN}'--`, `${UNKNOWN}\0`, main.channelId].map((id) =>
        read(id, 'INVALID_INPUT id'),
      ),
      read(UNKNOWN, 'RESOURCE_NOT_FOUND id'),
      read(null, 'GRAPHQL_VALIDATION_FAILED id'),
    ],
    ([query, variables]) => api.graphql(query, variables),
  );

  const title = (text: unknown, expected: Refusal): [string, object, Refusal] => [
    JSON.stringify(text).slice(0, 30),
    { input: { title: text } },
    expected,
  ];
  refuses(
    'that are too long, blank, or hold control characters make no content',
    () => [
      ...['x'.repeat(10_000), '😀'.repeat(201), 'a\0b', 'a\x07', 'a\nb', '\x1b[31m', 'a\x85', 'a\ud83d'].map((text) =>
        title(text, 'INVALID_INPUT input.title'),
      ),
      ...['', '   ', '\u200b\u200b'].map((text) => title(text, 'FIELD_REQUIRED input.title')),
      ...[5, null, ['x'], {}].map((text) => title(text, 'GRAPHQL_VALIDATION_FAILED input.title')),
      ['summary', { input: { title: 'x', summary: 'y'.repeat(5_001) } }, 'INVALID_INPUT input.summary'],
      ['keywords', { input: { title: 'x', keywords: ['y'.repeat(51)] } }, 'INVALID_INPUT input.keywords.0'],
      ['an enum', { input: { title: 'x', visibility: 'SECRET' } }, 'GRAPHQL_VALIDATION_FAILED input.visibility'],
      ["someone else's channel", { channel: other.channelId, input: { title: 'x' } }, 'UNAUTHORIZED channel'],
      ['a content as channel', { channel: UNKNOWN, input: { title: 'x' } }, 'INVALID_INPUT channel'],
    ],
    (variables) => api.graphql(CREATE, variables),
  );

  const file = (size: unknown, expected: Refusal): [string, object, Refusal] => [`size ${size}`, { filename: 'a.mp4', size }, expected];
  const named = (filename: string, expected: Refusal): [string, object, Refusal] => [`name ${filename}`, { filename, size: 5 }, expected];
  const from = (url: string): [string, object, Refusal] => [url, { sourceUrl: url }, 'INVALID_INPUT input.sourceUrl'];
  refuses(
    'of publishVideo that cannot be: sizes, names, dates, sources that are not public',
    () => [
      ...[-1, 0, 300 * 2 ** 30].map((size) => file(size, 'INVALID_INPUT input.size')),
      ...[1.5, 1e300, '5', true].map((size) => file(size, 'GRAPHQL_VALIDATION_FAILED input.size')),
      file(null, 'FIELD_REQUIRED input.size'),
      ...['../../etc/passwd', 'a\\b.mp4', '..', 'a\0.mp4', 'x'.repeat(256)].map((name) => named(name, 'INVALID_INPUT input.filename')),
      named(' ', 'FIELD_REQUIRED input.filename'),
      ['no video', {}, 'FIELD_REQUIRED input.sourceUrl'],
      ['both ways', { sourceUrl: `${source.url}/a`, filename: 'a', size: 1 }, 'INVALID_INPUT input.sourceUrl'],
      ['a far date', { filename: 'a', size: 1, releaseDate: '9999-12-31T00:00:00Z' }, 'INVALID_INPUT input.releaseDate'],
      ['no date', { filename: 'a', size: 1, releaseDate: 'tomorrow' }, 'GRAPHQL_VALIDATION_FAILED input.releaseDate'],
      ...['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]'].map(
        (host) => from(`http://${host}/a.mp4`),
      ),
      ...['[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fc00::1]', '169.254.169.254', '10.0.0.1'].map((host) =>
        from(`http://${host}/`),
      ),
      ...['172.16.0.1', '192.168.1.1', '100.64.0.1', '224.0.0.1', '①②⑦.0.0.1', '127.0.0.1:1', 'user:pw@example.com', 'a.invalid'].map(
        (host) => from(`https://${host}/`),
      ),
      ...['file:///etc/passwd', 'ftp://example.com/a', 'concat:a|b', 'data:video/mp4,x', '/a.mp4', '', `http://a/${'b'.repeat(3_000)}`].map(
        from,
      ),
    ],
    (input) => api.graphql(PUBLISH, { input: { title: 'x', ...input } }),
  );

  it("that name someone else's things change nothing", async () => {
    const id = await newContent();
    const was = await everything();
    const theirs: [string, Refusal][] = [
      [`updateContent(id: "${id}", input: {title: "stolen"}) { id }`, 'RESOURCE_NOT_FOUND id'],
      [`publishContent(id: "${id}") { id }`, 'RESOURCE_NOT_FOUND id'],
      [`unpublishContent(id: "${id}") { id }`, 'RESOURCE_NOT_FOUND id'],
      [`submitContentForProcessing(id: "${id}") { id }`, 'RESOURCE_NOT_FOUND id'],
      [`createContentAsset(id: "${id}", input: {filename: "a", size: 1, video: {hint: VR}}) { id }`, 'RESOURCE_NOT_FOUND id'],
      [`finalizeContentUpload(input: {contentId: "${id}"}) { published }`, 'RESOURCE_NOT_FOUND input.contentId'],
      [`waitForProcessing(input: {contentId: "${id}"}) { status }`, 'RESOURCE_NOT_FOUND input.contentId'],
      [`deleteContent(id: "${id}") { __typename }`, 'RESOURCE_NOT_FOUND id'],
      [`updateChannel(id: "${main.channelId}", input: {name: "stolen"}) { id }`, 'UNAUTHORIZED id'],
      [`createChannelAsset(id: "${main.channelId}", input: {filename: "a", size: 1, image: {hint: AVATAR}}) { id }`, 'UNAUTHORIZED id'],
    ];
    for (const [field, expected] of theirs) {
      api.refused(await api.graphql(`mutation { ${field} }`, {}, other.key), expected);
      const wrongKind = field.replaceAll(id, `did:reelgraph:job/${UNKNOWN_ID}`).replaceAll(main.channelId, id);
      api.refused(await api.graphql(`mutation { ${wrongKind} }`), `INVALID_INPUT ${expected.split(' ')[1]}`);
    }
    const { content } = await api.data(`{ content(id: "${id}") { status metadata { title } } }`);
    assert.deepEqual(content, { status: 'DRAFT', metadata: { title: 'A content' } });
    assert.deepEqual(await everything(), was);
  });
});

describe('uploads', () => {
  const chunked = (bytes: number) => new Blob([new Uint8Array(bytes)]).stream();
  it('shorter or longer than declared are refused, by PUT and by tus, and the right file is taken afterwards', async () => {
    const { endpoint } = await newUpload(1_000);
    const refused: [string, () => ReturnType<typeof put>, Refusal, number][] = [
      ['PUT shorter', () => put(endpoint, Buffer.alloc(999)), 'UPLOAD_FAILED Content-Length', 0],
      ['PUT longer', () => put(endpoint, Buffer.alloc(1_001)), 'UPLOAD_FAILED Content-Length', 0],
      ['PUT of nothing', () => put(endpoint, ''), 'UPLOAD_FAILED Content-Length', 0],
      ['chunked PUT longer', () => put(endpoint, chunked(200_000)), 'UPLOAD_FAILED Content-Length', 0],
      [
        'PUT of a part',
        () => put(endpoint, Buffer.alloc(1_000), { 'Content-Range': 'bytes 0-999/2000' }),
        'INVALID_INPUT Content-Range',
        0,
      ],
      ['PATCH longer', () => patch(endpoint, 0, Buffer.alloc(1_001)), 'UPLOAD_FAILED', 0],
      ['PATCH at a wrong offset', () => patch(endpoint, 5, Buffer.alloc(10)), 'UPLOAD_FAILED', 0],
      ['PATCH at a negative offset', () => patch(endpoint, -1, Buffer.alloc(10)), 'INVALID_INPUT Upload-Offset', 0],
      ['PATCH of another type', () => patch(endpoint, 0, Buffer.alloc(10), { 'Content-Type': 'video/mp4' }), 'INVALID_INPUT', 0],
      ['PATCH of another version', () => patch(endpoint, 0, Buffer.alloc(10), { 'Tus-Resumable': '0.2' }), 'INVALID_INPUT', 0],
      ['chunked PUT shorter', () => put(endpoint, chunked(500)), 'UPLOAD_FAILED', 500],
    ];
    for (const [what, act, expected, offset] of refused) {
      api.refused(await act(), expected);
      assert.equal(await offsetOf(endpoint), offset, what);
    }
    assert.equal((await put(endpoint, Buffer.alloc(1_000))).status, 200);
    api.refused(await put(endpoint, Buffer.alloc(1_000)), 'RESOURCE_ALREADY_EXISTS');
  });

  it('sent several times at once are taken once', async () => {
    const { endpoint } = await newUpload(200_000);
    const bytes = Buffer.alloc(200_000, 7);
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(endpoint, bytes)));
    for (const answer of answers) assert.ok([200, 409, 503].includes(answer.status), JSON.stringify(answer.body));
    assert.ok((await put(endpoint, bytes)).status < 410);
    assert.equal(await offsetOf(endpoint), 200_000);
    const id = endpoint.slice(endpoint.lastIndexOf('/') + 1).slice(0, 36);
    assert.ok(readFileSync(join(dataDir, 'objects/uploads', id)).equals(bytes));
  });

  it('are open to nobody who guesses, and creations that are wrong make none', async () => {
    const { endpoint } = await newUpload(10);
    const bare = endpoint.slice(0, endpoint.lastIndexOf('/') + 37);
    api.refused(await put(`${endpoint.slice(0, -1)}${endpoint.endsWith('A') ? 'B' : 'A'}`, 'x'.repeat(10)), 'RESOURCE_NOT_FOUND');
    api.refused(await put(bare, 'x'.repeat(10)), 'UNAUTHENTICATED');
    api.refused(await put(bare, 'x'.repeat(10), { authorization: `Bearer ${other.key}` }), 'RESOURCE_NOT_FOUND');
    const was = await everything();
    const good = { contentId: await newContent(), filename: 'a.mp4' };
    const creations: [Record<string, string>, Record<string, string>, Refusal][] = [
      [good, { authorization: '' }, 'UNAUTHENTICATED'],
      [good, { authorization: `Bearer ${other.key}` }, 'RESOURCE_NOT_FOUND Upload-Metadata.contentId'],
      [good, { 'Upload-Length': '-1' }, 'INVALID_INPUT Upload-Length'],
      [good, { 'Upload-Length': '0' }, 'INVALID_INPUT Upload-Length'],
      [good, { 'Upload-Length': '1.5' }, 'INVALID_INPUT Upload-Length'],
      [good, { 'Upload-Length': '9'.repeat(30) }, 'INVALID_INPUT Upload-Length'],
      [{ ...good, contentId: main.channelId }, {}, 'INVALID_INPUT Upload-Metadata.contentId'],
      [{ ...good, hint: 'MOVIE' }, {}, 'INVALID_INPUT Upload-Metadata.hint'],
      [{ ...good, filename: 'a\0b' }, {}, 'INVALID_INPUT Upload-Metadata.filename'],
      [good, { 'Upload-Metadata': 'filename !!!' }, 'INVALID_INPUT Upload-Metadata'],
    ];
    for (const [metadata, headers, expected] of creations) {
      const encoded = Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(',');
      const all = { ...TUS, authorization: `Bearer ${main.key}`, 'Upload-Length': '5', 'Upload-Metadata': encoded, ...headers };
      api.refused(await api.send('/uploads', { method: 'POST', headers: all }), expected);
    }
    const now = await everything();
    assert.deepEqual({ ...(now as object), channel: null }, { ...(was as object), channel: null });
  });

  it('of pictures that are bombs, lies or no pictures end as failed, with no file left', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
    const pictures: [string, Buffer][] = [
      ['a bomb', png(30_000, 30_000)],
      ['a wide bomb', png(20_000, 10)],
      ['fewer rows than it says', png(4_000, 4_000, 10)],
      ['cut short', png(100, 100).subarray(0, 50)],
      ['SVG', Buffer.from(svg)],
      ['text', Buffer.from('text')],
      ['video', Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), Buffer.alloc(99)])],
    ];
    const was = storedFiles(dataDir);
    for (const [what, bytes] of pictures) {
      const { id, endpoint } = await newUpload(bytes.length, { image: { hint: 'POSTER' } }, 'picture.png');
      const answer = await put(endpoint, bytes);
      api.refused(answer, 'TRANSCODE_FAILED');
      assert.equal(answer.status, 422, what);
      const { node } = await api.data(`{ node(id: "${id}") { ... on IngestionSession { state error } } }`);
      assert.deepEqual([node.state, typeof node.error], ['FAILED', 'string'], what);
    }
    assert.deepEqual(storedFiles(dataDir), was);
  });

  it('meet a full disk with SERVICE_UNAVAILABLE, keep what was acknowledged, and go on when there is room', async () => {
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
      api.refused(await patch(endpoint, await offsetOf(endpoint), bytes.subarray(await offsetOf(endpoint))), 'SERVICE_UNAVAILABLE');
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
  /** Waits for all at once and gives what each ended with. */
  const ends = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await api.data(WAIT, { input: { contentId: id, timeoutSeconds: 30 } })).waitForProcessing));
  /** The uploaded files themselves stay with their owner; nothing may have been made of them. */
  const made = () => storedFiles(dataDir).filter((path) => !/^objects\/(uploads|sources)\//.test(path));

  it('of anything disguised as .mp4 ends in FAILED with a sentence, and makes no file', async () => {
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
      ['the head of a film', Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), Buffer.alloc(500)]), /damaged/],
      ['a playlist behind a box', Buffer.from(`\0\0\0\x08free${playlist}`, 'latin1'), /damaged/],
    ];
    const before = made();
    const ids: string[] = [];
    for (const [what, body] of cases) {
      const bytes = Buffer.from(body);
      const { publishVideo } = await api.data(PUBLISH, { input: { title: what, filename: 'film.mp4', size: bytes.length } });
      assert.equal((await put(publishVideo.upload.endpoint, bytes)).status, 200);
      ids.push(publishVideo.content.id);
    }
    for (const [index, end] of (await ends(ids)).entries()) {
      assert.deepEqual([end.status, end.content.status], ['ERROR', 'FAILED'], cases[index]?.[0]);
      assert.match(end.error, cases[index]?.[2] ?? /never/);
      api.refused(await api.graphql(`mutation { publishContent(id: "${ids[index]}") { id } }`), 'INVALID_INPUT id');
    }
    assert.deepEqual(made(), before);
  });

  it('of sources that lead inside, round in circles, or to nothing ends in FAILED with a sentence', async () => {
    const to = (url: string) => `/to/${encodeURIComponent(url)}`;
    const cases: [string, RegExp][] = [
      [to('http://169.254.169.254/'), /not on the public internet/],
      [to(`${platform.baseUrl}/healthz`), /not on the public internet/],
      [to('http://2130706433:4000/'), /not on the public internet/],
      [to('http://[::ffff:10.0.0.1]/'), /not on the public internet/],
      [to('file:///etc/passwd'), /not fetched/],
      ['/loop', /redirects more than/],
      ['/missing', /status 404/],
      ['/huge', /larger than/],
      ['/empty', /empty/],
      ['/playlist', /playlist/],
    ];
    const before = made();
    const ids: string[] = [];
    for (const [path] of cases)
      ids.push((await api.data(PUBLISH, { input: { title: path.slice(0, 50), sourceUrl: source.url + path } })).publishVideo.content.id);
    for (const [index, end] of (await ends(ids)).entries()) {
      assert.deepEqual([end.status, end.content.status], ['ERROR', 'FAILED'], cases[index]?.[0]);
      assert.match(end.error, cases[index]?.[1] ?? /never/);
    }
    assert.deepEqual(made(), before);
  });

  it('of sources that break off at once does not take the platform with it', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1)
      ids.push((await api.data(PUBLISH, { input: { title: 'reset', sourceUrl: `${source.url}/reset` } })).publishVideo.content.id);
    const resets = () => source.asked.filter((path) => path === '/reset').length;
    for (let waits = 0; waits < 100 && resets() < 8; waits += 1) await sleep(100);
    assert.ok(resets() >= 8);
    for (const id of ids) await api.data(`mutation { deleteContent(id: "${id}") { __typename } }`);
  });

  it('of a source that never ends stops when its content is deleted, with nothing kept', async () => {
    const before = storedFiles(dataDir);
    const { publishVideo } = await api.data(PUBLISH, { input: { title: 'slow', sourceUrl: `${source.url}/slow` } });
    while (!(await api.data(`{ content(id: "${publishVideo.content.id}") { transcodeJob { startedAt } } }`)).content.transcodeJob.startedAt)
      await sleep(100);
    await api.data(`mutation { deleteContent(id: "${publishVideo.content.id}") { __typename } }`);
    await source.left;
    for (let waits = 0; waits < 50 && storedFiles(dataDir).length > before.length; waits += 1) await sleep(100);
    assert.deepEqual(storedFiles(dataDir), before);
  });
});

it('every page that an error names answers, and unknown ones are 404', async () => {
  assert.ok(api.pages.size >= 10, [...api.pages].join(' '));
  for (const page of api.pages) {
    const answer = await api.send(page);
    assert.equal(answer.status, 200, page);
    assert.ok(String(answer.body).includes(page.slice(page.lastIndexOf('/') + 1).toUpperCase()), page);
  }
  assert.equal((await api.send('/docs/errors/nothing')).status, 404);
  for (const code of ['INTERNAL_SERVER_ERROR', 'TOKEN_EXPIRED', 'SERVICE_UNAVAILABLE'])
    assert.equal((await api.send(`/docs/errors/${code.toLowerCase()}`)).status, 200);
  assert.equal((await api.send('/readyz')).status, 200, 'the platform is as ready as it was');
});
