import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type GraphQLSchema, getNamedType, isScalarType, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { PERMISSIONS } from '../kernel/permissions.ts';
import { platformSchema } from '../schema.ts';
import { PATHS } from './registry/agent-words.ts';
import { type JsonSchema, scalarSchema } from './registry/json-schema.ts';
import { FROM_US, FROM_USERS } from './registry/result-text.ts';
import { readToolFile } from './registry/tool-file.ts';
import { ToolRegistry } from './tool-registry.ts';

/** The names in the vocabulary of the described service, except those of its external site. */
const KNOWN_NAMES = [
  ...[
    'get_me',
    'list_followed_channels',
    'get_channel',
    'list_channels',
    'list_categories',
    'list_ratings',
    'list_genres',
  ],
  ...[
    'create_content',
    'create_content_asset',
    'submit_content_for_processing',
    'publish_content',
    'unpublish_content',
  ],
  ...['create_playlist', 'update_playlist', 'create_playlist_asset', 'create_playlist_with_items'],
  ...['follow_channel', 'unfollow_channel', 'like_content', 'unlike_content', 'create_comment', 'list_comments'],
  ...['publish_content_to_youtube', 'get_youtube_publish_job'],
  ...[
    'publish_video',
    'finalize_content_upload',
    'verify_connection',
    'channel_dashboard',
    'wait_for_processing',
    'get_processing_status',
  ],
  'predict_virality',
];
const EVERYTHING = new Set<string>(Object.keys(PERMISSIONS));
const USUAL = { toolsets: null, readOnly: false } as const;
/** Mean length of the o200k tokens of tools/list: 4.34 characters. */
const CHARACTERS_PER_TOKEN = 4.3;

describe('tools', () => {
  const schema = platformSchema();
  let box: ToolRegistry;
  before(async () => {
    const execute = () => assert.fail('listing tools runs nothing');
    box = await ToolRegistry.load({
      engine: { schema, execute },
      baseUrl: 'http://reelgraph.test',
      starter: { startProgram: execute },
    });
  });
  const names = (permissions = EVERYTHING, choice: Parameters<ToolRegistry['list']>[0] = USUAL) =>
    box.list(choice, permissions).map(({ definition }) => definition.name);

  it('are there where errors name them instead of paths', () => {
    const named = Object.values(PATHS).flatMap((text) => text.match(/\w+_\w+/g) ?? []);
    assert.ok(named.length >= Object.keys(PATHS).length);
    assert.deepEqual(
      named.filter((name) => box.find(name, USUAL) === null),
      [],
    );
  });

  it('have the names of the described service', () => {
    const missing = KNOWN_NAMES.filter((name) => !box.find(name, { readOnly: false }));
    assert.deepEqual(missing, []);
  });

  it('are listed in fewer than 8,000 tokens', () => {
    const text = JSON.stringify({ tools: box.list(USUAL, EVERYTHING).map(({ definition }) => definition) });
    assert.ok(
      text.length / CHARACTERS_PER_TOKEN < 8_000,
      `about ${Math.round(text.length / CHARACTERS_PER_TOKEN)} tokens`,
    );
  });

  it('that write are neither listed nor callable for a read-only client', () => {
    const readOnly = names(EVERYTHING, { toolsets: null, readOnly: true });
    assert.ok(
      readOnly.includes('search') && !readOnly.includes('publish_video') && !readOnly.includes('graphql_mutate'),
    );
    assert.equal(box.find('delete_content', { readOnly: true }), null);
    assert.ok(
      box.all.filter(({ isReadOnly }) => isReadOnly).every(({ definition }) => definition.annotations?.readOnlyHint),
    );
  });

  it('without permission are not listed', () => {
    const without = new Set([...EVERYTHING].filter((permission) => permission !== 'content:delete'));
    assert.ok(names().includes('delete_content'));
    assert.ok(!names(without).includes('delete_content'));
    assert.ok(names(without).includes('publish_video'));
  });

  it('of a toolset are listed with its quiet ones', () => {
    const playlists = names(EVERYTHING, { toolsets: new Set(['playlists']), readOnly: false });
    assert.deepEqual(playlists.toSorted(), [
      ...[
        'add_playlist_items',
        'create_playlist',
        'create_playlist_asset',
        'create_playlist_with_items',
        'get_playlist',
      ],
      ...['remove_playlist_items', 'update_playlist'],
    ]);
  });

  it('describe every argument as the schema does', () => {
    const wordless = box.all.flatMap(({ definition }) =>
      Object.entries(definition.inputSchema.properties ?? {})
        .filter(([, property]) => !(property as JsonSchema).description)
        .map(([name]) => `${definition.name}.${name}`),
    );
    assert.deepEqual(wordless, []);
  });

  it('have the required arguments, enums and defaults of their operations', () => {
    const { inputSchema } = box.find('list_contents', { readOnly: false })?.definition ?? assert.fail('it is there');
    const sort = inputSchema.properties?.['sort'] as JsonSchema;
    assert.deepEqual(
      [sort.default, sort.enum?.includes('MOST_VIEWED'), inputSchema.required],
      ['NEWEST', true, undefined],
    );
    const publish = box.find('publish_video', { readOnly: false })?.definition.inputSchema;
    assert.deepEqual([publish?.required, publish?.['additionalProperties']], [['title'], false]);
  });

  it('accept null for arguments that can be cleared, and for no others', () => {
    const typesOf = (name: string) => {
      const { properties } = box.find(name, { readOnly: false })?.definition.inputSchema ?? assert.fail(name);
      return Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([argument, { type, anyOf }]) => [
        argument,
        type ?? anyOf?.map((each) => each.type),
      ]);
    };
    assert.deepEqual(typesOf('update_content'), [
      ['id', 'string'],
      ['title', 'string'],
      ['summary', ['string', 'null']],
      ['keywords', ['array', 'null']],
      ['visibility', 'string'],
      ['language', ['string', 'null']],
      ['categories', ['array', 'null']],
      ['genres', ['array', 'null']],
      ['rating', ['string', 'null']],
      ['allowDownload', 'boolean'],
      ['ifRevision', 'integer'],
    ]);
    assert.deepEqual(typesOf('update_playlist'), [
      ['id', 'string'],
      ['title', 'string'],
      ['summary', ['string', 'null']],
      ['visibility', 'string'],
      ['ifRevision', 'integer'],
    ]);
    const nullable = box.all.filter(({ definition }) => JSON.stringify(definition.inputSchema).includes('"null"'));
    // Creating and updating take the same input.
    assert.deepEqual(nullable.map(({ definition }) => definition.name).toSorted(), [
      'create_content',
      'create_playlist',
      'update_content',
      'update_playlist',
    ]);
  });

  it('have output schemas: pages for connections, one type each, nothing required', () => {
    const { outputSchema } = box.find('list_comments', { readOnly: false })?.definition ?? assert.fail('it is there');
    const page = (outputSchema as JsonSchema).properties?.['comments'];
    assert.deepEqual(Object.keys(page?.properties ?? {}), ['totalCount', 'items', 'next']);
    const author = page?.properties?.['items']?.items?.properties?.['author'];
    assert.deepEqual([author?.type, page?.required], ['object', undefined]);
    const outputs = box.all.map(({ definition }) => definition.outputSchema);
    assert.doesNotMatch(JSON.stringify(outputs), /"type":\[|"anyOf"/);
  });

  it('classify every text field as user content or ours', () => {
    const unknown = new Set<string>();
    for (const { definition } of box.all) {
      const text = box.documentOf(definition.name);
      if (text === undefined) continue;
      for (const key of textKeys(schema, definition.name, text))
        if (!FROM_US.has(key) && !FROM_USERS.has(key)) unknown.add(key);
    }
    assert.deepEqual([...unknown], []);
  });

  it('have a JSON Schema for every scalar', () => {
    for (const type of Object.values(schema.getTypeMap())) if (isScalarType(type)) assert.ok(scalarSchema(type.name));
    assert.throws(() => scalarSchema('Unheard'), /Unheard has no JSON Schema/);
  });
});

/** Response keys of a tool's fields of type String. */
function textKeys(schema: GraphQLSchema, name: string, text: string): string[] {
  const keys: string[] = [];
  const info = new TypeInfo(schema);
  const { document } = readToolFile(
    schema,
    `${name}.graphql`,
    `# x\n${text.replace(/^((?:query|mutation)[^{]*)\{/, '$1 @tool(title: "x", toolset: account) {')}`,
  );
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (node) =>
        void (String(getNamedType(info.getType())) === 'String' && keys.push(node.alias?.value ?? node.name.value)),
    }),
  );
  return keys;
}

describe('a tool file', () => {
  const schema = platformSchema();
  const GOOD = '# Shows me.\nquery my_name @tool(title: "Name", toolset: account) { me { username } }\n';
  const read = (text: string, fileName = 'my_name.graphql') => readToolFile(schema, fileName, text);

  it('is an operation with a description and properties', () => {
    const { name, description, title, destructive, text } = read(GOOD);
    assert.deepEqual([name, description, title, destructive], ['my_name', 'Shows me.', 'Name', false]);
    assert.ok(!text.includes('@tool'), 'the engine does not know the directive');
  });

  const errors: [string, string, RegExp][] = [
    ['of another name', GOOD.replace('my_name', 'your_name'), /named your_name/],
    [
      'that does not fit the schema',
      GOOD.replace('username', 'surname'),
      /my_name.graphql: Cannot query field "surname"/,
    ],
    ['without a description', GOOD.replace('# Shows me.\n', ''), /must begin with a comment/],
    ['without traits', GOOD.replace('@tool(title: "Name", toolset: account)', ''), /lacks @tool/],
    ['of a toolset that is not there', GOOD.replace('account)', 'misc)'), /one of the toolsets/],
    ['with a trait that is not there', GOOD.replace('toolset', 'dangerous: true, toolset'), /no dangerous/],
    ['with two operations', `${GOOD} query other { me { id } }`, /exactly one operation/],
    [
      'that never ends',
      GOOD.replace('query', 'subscription').replace('me { username }', 'eventsAfter { type }'),
      /answers once/,
    ],
  ];
  for (const [what, text, expected] of errors)
    it(`is refused ${what}`, () => assert.throws(() => read(text), expected));
});
