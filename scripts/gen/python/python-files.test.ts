import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatePython } from './python-files.ts';
import { docstring, methodName, snake } from './python-text.ts';

const SCHEMA = `
  scalar DID
  scalar DateTime
  scalar JSON
  "How it feels."
  enum Mood { CALM "Loud." WILD }
  input Filter { "Which mood." mood: Mood, from: DateTime, names: [String!]!, facts: JSON, inner: Filter }
  interface Node { id: DID! }
  "A movie."
  type Movie implements Node {
    id: DID!
    "When it was released."
    releasedAt: DateTime
    mood: Mood
    facts: Facts!
    cast(first: Int, after: String): MovieConnection
  }
  type Facts { minutes: Int! tags: [String!]! }
  type Studio implements Node { id: DID! name: String! }
  type PageInfo { endCursor: String hasNextPage: Boolean! }
  type MovieEdge { cursor: String! node: Movie! }
  type MovieConnection { edges: [MovieEdge!]! pageInfo: PageInfo! totalCount: Int! }
  type Query {
    "One movie."
    movie("Its id." id: DID!, from: DateTime): Movie
    films(first: Int, after: String, filter: Filter): MovieConnection!
    node(id: DID!): Node
  }
  type Mutation { forget(ids: [DID!]!, mood: Mood! = CALM): Boolean! publishToYouTube(id: DID!): [Movie!]! }
  type Subscription { created(after: String): Movie }
`;
const NODE = 'fragment Node on Node { __typename id ... on Movie { releasedAt } }';
const generate = (schema = SCHEMA, text = '') =>
  generatePython(schema, [{ path: 'a.graphql', text: `${NODE} ${text}` }]);

const CASES: readonly {
  readonly name: string;
  readonly module: string;
  readonly written?: string;
  readonly expected: string;
}[] = [
  {
    name: 'a type as a class with typed attributes and descriptions',
    module: 'models',
    expected:
      'class Movie(Model):\n    """A movie."""\n\n    id: DID\n    released_at: dt.datetime | None\n' +
      '    """When it was released."""\n    mood: Mood | None\n    facts: Facts\n',
  },
  { name: 'lists of values', module: 'models', expected: '    tags: list[str]\n' },
  {
    name: 'an interface as a union, with what is not known last',
    module: 'models',
    expected: 'Node = NodeMovie | NodeOther\n',
  },
  {
    name: 'the concrete types of the members of a union',
    module: 'models',
    expected:
      'class NodeOther(Model):\n    """Any other type, also one that is newer than the client."""\n\n' +
      '    typename: Literal["Studio"]\n',
  },
  {
    name: 'a selection below a field as a class of its own',
    module: 'models',
    written: 'fragment Movie on Movie { facts { minutes } }',
    expected: 'class Movie(Model):\n    """A movie."""\n\n    facts: MovieFacts\n',
  },
  {
    name: 'an enum that tolerates unknown values, and the texts that arguments take',
    module: 'enums',
    expected:
      'class Mood(OpenEnum):\n    """How it feels."""\n\n    CALM = "CALM"\n    WILD = "WILD"\n    """Loud."""\n\n\n' +
      'MoodValue: TypeAlias = (\n    \'Mood | Literal["CALM", "WILD"]\'\n)\n',
  },
  {
    name: 'an input as a dictionary, a keyword with an underscore',
    module: 'inputs',
    expected:
      'class Filter(TypedDict, total=False):\n    mood: MoodValue | None\n    """Which mood."""\n' +
      '    from_: dt.datetime | None\n    names: Required[Sequence[str]]\n    facts: JSON | None\n' +
      '    inner: Filter | None\n',
  },
  {
    name: 'a root field as a method that returns its value',
    module: '_generated/sync_methods',
    expected:
      '    def movie(\n        self,\n        *,\n        id: DID,\n        from_: dt.datetime | None = None,\n' +
      '        options: CallOptions | None = None,\n    ) -> Movie:\n        """\n        One movie.\n\n' +
      '        Args:\n' +
      '            id: Its id.\n            from_:\n        """\n' +
      '        return self._call(documents.MOVIE, {"id": id, "from": from_}, options)\n',
  },
  {
    name: 'a root field as an asynchronous method',
    module: '_generated/async_methods',
    expected: '    async def node(self, *, id: DID, options: CallOptions | None = None) -> Node:\n',
  },
  {
    name: 'a list as a method with pages',
    module: '_generated/sync_methods',
    expected: '    ) -> Pages[Movie, MovieEdge, MovieConnection]:\n',
  },
  {
    name: 'arguments with a default as optional ones',
    module: '_generated/sync_methods',
    expected: '        ids: Sequence[DID],\n        mood: MoodValue | None = None,\n',
  },
  {
    name: 'a subscription as a generator',
    module: '_generated/async_methods',
    expected: '-> AsyncGenerator[Movie, None]:\n',
  },
  {
    name: 'an operation with its path, its type and its fragments',
    module: '_generated/documents',
    expected:
      'PUBLISH_TO_YOUTUBE: Operation[list[Movie]] = Operation(\n    "mutation",\n' +
      '    "mutation PublishToYouTube($id:DID!){publishToYouTube(id:$id){...Movie}}",\n    ("publishToYouTube",),\n' +
      '    "list[Movie]",\n    (_MOVIE, _FACTS),\n)\n',
  },
  {
    name: 'the names below which JSON keeps its own names',
    module: '_generated/documents',
    expected: 'JSON_NAMES: frozenset[str] = frozenset(("facts",))\n',
  },
];

for (const { name, module, written, expected } of CASES) {
  test(`writes ${name}`, () => {
    const source = generate(SCHEMA, written)[module] ?? '';
    assert.ok(source.includes(expected), `${source}\nlacks\n${expected}`);
  });
}

test('names that Python cannot have are refused', () => {
  const withField = (field: string) => SCHEMA.replace('minutes: Int!', `minutes: Int! ${field}: Int`);
  assert.throws(() => generate(withField('theKPIs')), /cannot derive theKPIs from the_kp_is/);
  assert.throws(() => generate(withField('list')), /Facts\.list would hide a name/);
  const withRoot = (field: string) => SCHEMA.replace('"One movie."', `${field} "One movie."`);
  assert.throws(() => generate(withRoot('upload: Int')), /upload is a method of the Python client already/);
  assert.throws(() => generate(withRoot('a(options: Int): Int')), /options is a parameter of the Python client/);
});

test('a selection that depends on the type must tell which type it is', () => {
  assert.throws(
    () => generatePython(SCHEMA, [{ path: 'a', text: 'fragment Node on Node { id ... on Movie { mood } }' }]),
    /Node depends on the type: select __typename/,
  );
});

test('names are those of Python', () => {
  assert.deepEqual(['id', 'publishedAt', 'urlFormat', 'from'].map(snake), [
    'id',
    'published_at',
    'url_format',
    'from_',
  ]);
  assert.deepEqual(['importYouTubeLibrary', 'import'].map(methodName), ['import_youtube_library', 'import_']);
});

test('docstrings are wrapped, and end where they should', () => {
  assert.equal(docstring('Short.', ''), '"""Short."""\n');
  assert.equal(docstring('Ends with "quotes"', ''), '"""\nEnds with "quotes"\n"""\n');
  assert.equal(docstring('Has """ and \\.', ''), `"""Has ''' and \\\\."""\n`);
  assert.deepEqual(
    docstring('word '.repeat(50), '    ')
      .split('\n')
      .filter((line) => line.length > 100),
    [],
  );
});
