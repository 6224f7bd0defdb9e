import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import type { Refusal } from '../support/api-client.ts';
import {
  api,
  CREATE,
  everything,
  main,
  makeAccount,
  newContent,
  other,
  PUBLISH,
  platform,
  refuses,
  repeat,
  respondsOnEveryPage,
  setSubscription,
  source,
  TUS,
  UNKNOWN,
  UNKNOWN_ID,
  useFuzzPlatform,
  VERIFY,
} from '../support/fuzz-platform.ts';

useFuzzPlatform();

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
      const response = await api.send(`/graphql${search}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: VERIFY }),
      });
      assert.equal(response.status, 401);
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
      return response;
    },
  );

  it('of a lapsed subscription or an ended trial are UNAUTHORIZED, with a suggested fix', THOROUGH, async () => {
    const lapsed = await makeAccount('lapsed');
    const trial = await makeAccount('trial');
    setSubscription('lapsed', 'EXPIRED');
    setSubscription('trial', 'TRIALING', '--ends-at', '2020-01-01T00:00:00Z');
    for (const { key } of [lapsed, trial]) {
      const response = await api.graphql(VERIFY, {}, key);
      assert.equal(response.status, 403);
      assert.match(api.refused(response, 'UNAUTHORIZED'), /expired|ended/);
      api.refused(
        await api.send('/uploads', {
          method: 'POST',
          headers: { ...TUS, authorization: `Bearer ${key}`, 'Upload-Length': '5' },
        }),
        'UNAUTHORIZED',
      );
    }
  });

  it('that were replaced are refused immediately', async () => {
    const { key, password } = await makeAccount('forgetful');
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
    const regenerate = (origin: string) =>
      api.graphql('mutation { regenerateApiKey { key } }', {}, '', { cookie, origin });
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
        ['an empty batch', { body: '[]' }, 'INVALID_INPUT'],
        ['a number', { body: '5' }, 'INVALID_INPUT'],
        ['broken JSON', { body: '{"query":' }, 'INVALID_INPUT'],
        ['bytes that are no text', { body: Buffer.from([0x7b, 0xff]) }, 'INVALID_INPUT'],
        ['nothing', { body: '' }, 'FIELD_REQUIRED'],
        ['no query', { body: '{}' }, 'FIELD_REQUIRED query'],
        ['variables as text', { body: JSON.stringify({ query: VERIFY, variables: '{}' }) }, 'INVALID_INPUT variables'],
        [
          'a wrong operationName',
          { body: JSON.stringify({ query: VERIFY, operationName: 5 }) },
          'INVALID_INPUT operationName',
        ],
        ['2 MiB', { body: JSON.stringify({ query: VERIFY + ' '.repeat(2 ** 21) }) }, 'INVALID_INPUT'],
        ['a form', { body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'INVALID_INPUT'],
        ['bare GraphQL', { body: VERIFY, headers: { 'content-type': 'application/graphql' } }, 'INVALID_INPUT'],
        [
          'another charset',
          { body: text, headers: { 'content-type': 'application/json; charset=utf-16' } },
          'INVALID_INPUT',
        ],
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
      const response = await api.send(`/graphql${search ? `?query=${encodeURIComponent(search)}` : ''}`, {
        method: 'POST',
        headers: all,
        ...init,
      });
      assert.ok([400, 405, 406, 413, 415].includes(response.status), String(response.status));
      return response;
    },
  );

  const cycle = 'fragment A on Query { ...B } fragment B on Query { ...A }';
  const doubling = repeat(25, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
  refuses(
    'with adversarial documents are refused before they run',
    () =>
      [
        ['no document', ''],
        ['broken off', '{ verifyConnection {'],
        ['a field that is not there', '{ nope }'],
        ['a subscription', 'subscription { me }'],
        ['two operations', `query A ${VERIFY} query B ${VERIFY}`, 'GRAPHQL_VALIDATION_FAILED operationName'],
        ['31 aliases', `{ verifyConnection { ${repeat(31, (i) => `a${i}: authenticated`)} } }`],
        ['11 root fields', `{ ${repeat(11, (i) => `a${i}: rateLimit { __typename }`)} }`],
        [
          'depth',
          '{ features { edges { node { ' +
            `${'channel { features { edges { node { '.repeat(8)} id ${'} } } }'.repeat(8)} } } } }`,
        ],
        [
          'cost',
          '{ features(first: 100) { edges { node { channel { features(first: 100) { edges { node { id } } } } } } } }',
        ],
        ['a fragment cycle', `{ ...A } ${cycle}`],
        ['doubling fragments', `{ ...F0 } ${doubling} fragment F25 on Query { __typename }`],
        ['50,000 fields', `{ verifyConnection { ${'authenticated '.repeat(50_000)} } }`],
        ['nested brackets', `{ nodes(ids: ${'['.repeat(100_000)}`],
        ['nested introspection', `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} }'.repeat(4)} } } }`],
        ['directives', `{ verifyConnection { authenticated ${'@include(if: true) '.repeat(5_000)} } }`],
      ].map(
        ([what, query, expected = 'GRAPHQL_VALIDATION_FAILED']) => [what, query, expected] as [string, string, Refusal],
      ),
    async (query) => {
      const started = performance.now();
      const response = await api.graphql(query, {}, main.key, { accept: 'application/graphql-response+json' });
      assert.ok(performance.now() - started < 2_000);
      assert.equal(response.status, 400);
      return response;
    },
  );

  it('show the schema to keys only', async () => {
    const query = '{ __schema { queryType { name } } }';
    assert.equal((await api.data(query)).__schema.queryType.name, 'Query');
    for (const document of [query, '{ __typename }', '{ __type(name: "Me") { name } }'])
      api.refused(await api.graphql(document, {}, ''), 'UNAUTHENTICATED');
  });

  it('are RATE_LIMIT_EXCEEDED when the account has used up its points, and run again after Retry-After', async () => {
    const { key } = await makeAccount('greedy');
    const ten = repeat(10, (i) => `a${i}: createContent(input: {title: "x"}) { id }`);
    for (let calls = 0; calls < 3; calls += 1) await api.graphql(`mutation { ${ten} }`, {}, key);
    const list = 'me { channel { contents(first: 30) { edges { node { channel { id } } } } } }';
    const spend = () => api.graphql(`{ ${repeat(9, (i) => `a${i}: ${list}`)} }`, {}, key);
    let response = await spend();
    for (let calls = 1; response.status === 200 && calls < 40; calls += 1) response = await spend();
    assert.equal(response.status, 429);
    api.refused(response, 'RATE_LIMIT_EXCEEDED');
    const seconds = Number(response.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 3, `Retry-After: ${seconds}`);
    assert.equal((await api.graphql(VERIFY)).status, 200, 'other accounts are not affected');
    await until(async () => (await spend()).status === 200, 'it never runs again', (seconds + 2) * 1_000);
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
      [
        'a text for a number',
        ['query($n: Int) { features(first: $n) { totalCount } }', { n: '1' }],
        'GRAPHQL_VALIDATION_FAILED n',
      ],
      [
        '101 ids',
        ['query($ids: [DID!]!) { nodes(ids: $ids) { id } }', { ids: Array(101).fill(UNKNOWN) }],
        'INVALID_INPUT ids',
      ],
      ...['', 'x', main.channelId.replace('reelgraph', 'else'), `${UNKNOWN}'--`, `${UNKNOWN}\0`, main.channelId].map(
        (id) => read(id, 'INVALID_INPUT id'),
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
      ...['', '   ', '\u200b\u200b', null].map((text) => title(text, 'FIELD_REQUIRED input.title')),
      ...[5, ['x'], {}].map((text) => title(text, 'GRAPHQL_VALIDATION_FAILED input.title')),
      ['summary', { input: { title: 'x', summary: 'y'.repeat(5_001) } }, 'INVALID_INPUT input.summary'],
      ['keywords', { input: { title: 'x', keywords: ['y'.repeat(51)] } }, 'INVALID_INPUT input.keywords.0'],
      ['an enum', { input: { title: 'x', visibility: 'SECRET' } }, 'GRAPHQL_VALIDATION_FAILED input.visibility'],
      ["someone else's channel", { channel: other.channelId, input: { title: 'x' } }, 'UNAUTHORIZED channel'],
      ['a content as channel', { channel: UNKNOWN, input: { title: 'x' } }, 'INVALID_INPUT channel'],
    ],
    (variables) => api.graphql(CREATE, variables),
  );

  const file = (size: unknown, expected: Refusal): [string, object, Refusal] => [
    `size ${size}`,
    { filename: 'a.mp4', size },
    expected,
  ];
  const named = (filename: string, expected: Refusal): [string, object, Refusal] => [
    `name ${filename}`,
    { filename, size: 5 },
    expected,
  ];
  const from = (url: string, expected: Refusal = 'INVALID_INPUT input.sourceUrl'): [string, object, Refusal] => [
    url,
    { sourceUrl: url },
    expected,
  ];
  refuses(
    'of publishVideo that cannot be: sizes, names, dates, sources that are not public',
    () => [
      ...[-1, 0, 300 * 2 ** 30].map((size) => file(size, 'INVALID_INPUT input.size')),
      ...[1.5, 1e300, '5', true].map((size) => file(size, 'GRAPHQL_VALIDATION_FAILED input.size')),
      file(null, 'FIELD_REQUIRED input.size'),
      ...['../../etc/passwd', 'a\\b.mp4', '..', 'a\0.mp4', 'x'.repeat(256)].map((name) =>
        named(name, 'INVALID_INPUT input.filename'),
      ),
      named(' ', 'FIELD_REQUIRED input.filename'),
      ['no video', {}, 'FIELD_REQUIRED input.sourceUrl'],
      ['both ways', { sourceUrl: `${source.url}/a`, filename: 'a', size: 1 }, 'INVALID_INPUT input.sourceUrl'],
      [
        'a far date',
        { filename: 'a', size: 1, releaseDate: '9999-12-31T00:00:00Z' },
        'INVALID_INPUT input.releaseDate',
      ],
      ['no date', { filename: 'a', size: 1, releaseDate: 'tomorrow' }, 'GRAPHQL_VALIDATION_FAILED input.releaseDate'],
      ...[
        '127.0.0.1',
        'localhost',
        '127.1',
        '2130706433',
        '0x7f000001',
        '0177.0.0.1',
        '0',
        '[::1]',
        '[::]',
        '[::ffff:127.0.0.1]',
      ].map((host) => from(`http://${host}/a.mp4`)),
      ...[
        '[::127.0.0.1]',
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::]',
        '[fe80::1]',
        '[fc00::1]',
        '169.254.169.254',
        '10.0.0.1',
      ].map((host) => from(`http://${host}/`)),
      ...[
        '172.16.0.1',
        '192.168.1.1',
        '100.64.0.1',
        '224.0.0.1',
        '①②⑦.0.0.1',
        '127.0.0.1:1',
        'user:pw@example.com',
        'a.invalid',
      ].map((host) => from(`https://${host}/`)),
      ...[
        'file:///etc/passwd',
        'ftp://example.com/a',
        'concat:a|b',
        'data:video/mp4,x',
        `http://a/${'b'.repeat(3_000)}`,
      ].map((sourceUrl) => from(sourceUrl)),
      ...['/a.mp4', ''].map((sourceUrl) => from(sourceUrl, 'GRAPHQL_VALIDATION_FAILED input.sourceUrl')),
    ],
    (input) => api.graphql(PUBLISH, { input: { title: 'x', ...input } }),
  );

  it('with objects of other accounts change nothing', async () => {
    const id = await newContent();
    const was = await everything();
    const theirs: [string, Refusal][] = [
      [`updateContent(id: "${id}", input: {title: "stolen"}) { id }`, 'RESOURCE_NOT_FOUND id'],
      [`publishContent(id: "${id}") { id }`, 'RESOURCE_NOT_FOUND id'],
      [`unpublishContent(id: "${id}") { id }`, 'RESOURCE_NOT_FOUND id'],
      [`submitContentForProcessing(id: "${id}") { content { id } }`, 'RESOURCE_NOT_FOUND id'],
      [
        `createContentAsset(id: "${id}", input: {filename: "a", size: 1, video: {hint: EQUIRECTANGULAR}}) { id }`,
        'RESOURCE_NOT_FOUND id',
      ],
      [`finalizeContentUpload(input: {contentId: "${id}"}) { published }`, 'RESOURCE_NOT_FOUND input.contentId'],
      [`waitForProcessing(input: {contentId: "${id}"}) { status }`, 'RESOURCE_NOT_FOUND input.contentId'],
      [`deleteContent(id: "${id}") { __typename }`, 'RESOURCE_NOT_FOUND id'],
      [`updateChannel(id: "${main.channelId}", input: {name: "stolen"}) { channel { id } }`, 'UNAUTHORIZED id'],
      [
        `createChannelAsset(id: "${main.channelId}", input: {filename: "a", size: 1, image: {hint: AVATAR}}) {
          ingestion { id } }`,
        'UNAUTHORIZED id',
      ],
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

respondsOnEveryPage();
