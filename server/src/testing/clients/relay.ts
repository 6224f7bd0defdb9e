import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type GraphQLSchema, printSchema } from 'graphql';
import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLSingularResponse,
  type GraphQLTaggedNode,
  type MutationParameters,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime';
import { type CachingClient, LIST, MUTATIONS, type Page, type Send } from './documents.ts';

const COMPILER = fileURLToPath(import.meta.resolve('relay-compiler/cli.js'));

/** A fragment of one content: the compiler makes the query that reads it again by `node(id: ID!)`. */
const FRAGMENT = `fragment page_feature on Feature @refetchable(queryName: "pageFeatureRefetchQuery") {
  id metadata { title }
}`;

export interface RelayClient extends CachingClient {
  /** Reads a feature again by its id. */
  refetch(id: string): Promise<void>;
}

/** Relay: its compiler checks the documents against the schema and writes what the runtime executes. */
export async function openRelay(schema: GraphQLSchema, send: Send): Promise<RelayClient> {
  const artifacts = await compiledByRelay(schema, [LIST, FRAGMENT, ...Object.values(MUTATIONS)]);
  // As the compiler writes it.
  const made = (name: string) => (artifacts.get(name) ?? missing(name)) as GraphQLTaggedNode;
  const artifact = (document: string) => made(/(?:query|mutation) (\w+)/.exec(document)?.[1] ?? '');
  const network = Network.create(async ({ text }, variables) => {
    return (await send(text ?? '', variables)) as GraphQLSingularResponse; // as GraphQL defines responses
  });
  const environment = new Environment({ network, store: new Store(new RecordSource()) });
  const page = artifact(LIST);
  return {
    async load(channel) {
      await fetchQuery(environment, page, { channel }).toPromise();
    },
    shown(channel) {
      const request = page as Parameters<typeof createOperationDescriptor>[0]; // queries are requests
      const { data, isMissingData } = environment.lookup(createOperationDescriptor(request, { channel }).fragment);
      if (isMissingData) throw new Error('Relay has no whole page');
      return data as unknown as Page; // what the document selects
    },
    async refetch(id) {
      await fetchQuery(environment, made('pageFeatureRefetchQuery'), { id }).toPromise();
    },
    mutate: (name, variables) =>
      new Promise((onCompleted, onError) =>
        commitMutation<MutationParameters>(environment, {
          mutation: artifact(MUTATIONS[name]),
          variables,
          onCompleted: (_, errors) => (errors ? onError(errors) : onCompleted()),
          onError,
        }),
      ),
  };
}

/** Compiles documents in a folder of their own; returns what was made, by name. */
export async function compiledByRelay(
  schema: GraphQLSchema,
  documents: readonly string[],
): Promise<Map<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-relay-'));
  try {
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'schema.graphql'), printSchema(schema));
    const tags = documents.map((document) => `graphql\`${document}\`;`);
    await writeFile(join(folder, 'src/page.js'), `import { graphql } from 'relay-runtime';\n${tags.join('\n')}\n`);
    const config = {
      src: 'src',
      schema: 'schema.graphql',
      language: 'javascript',
      eagerEsModules: true,
      artifactDirectory: 'src/made',
    };
    await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await mkdir(join(folder, 'src/made'));
    await promisify(execFile)(process.execPath, [COMPILER, 'relay.config.json'], { cwd: folder });
    const names = (await readdir(join(folder, 'src/made'))).filter((name) =>
      /(?:Query|Mutation)\.graphql\.js$/.test(name),
    );
    return new Map(
      await Promise.all(
        names.map(async (name) => {
          const made = await import(pathToFileURL(join(folder, 'src/made', name)).href);
          return [name.replace(/\.graphql\.js$/, ''), made.default] as const;
        }),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function missing(name: string): never {
  throw new Error(`relay-compiler has made no ${name}`);
}
