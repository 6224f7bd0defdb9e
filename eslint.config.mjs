// Lints schema.graphql only; TypeScript is biome's. A comment explains each rule that has options.
import { readFileSync } from 'node:fs';
import graphql from '@graphql-eslint/eslint-plugin';
import { buildSchema, isObjectType } from 'graphql';

const { configs, parser } = graphql;

/**
 * Objects that are no nodes: parts of a node, edges, answers. Nothing is fetched or cached by an identifier of theirs.
 */
const withoutIdentity = Object.values(buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap())
  .filter((type) => isObjectType(type) && !type.getInterfaces().some(({ name }) => name === 'Node'))
  .map(({ name }) => name);

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: { parser, parserOptions: { graphQLConfig: { schema: './schema.graphql' } } },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...configs['flat/schema-recommended'].rules,
      ...configs['flat/schema-relay'].rules,
      // Identifiers are DIDs: the API vocabulary names the scalar.
      '@graphql-eslint/strict-id-in-types': [
        'error',
        { acceptedIdTypes: ['DID'], exceptions: { types: withoutIdentity } },
      ],
      // Keywords, variants of an image and the like are short and whole: lists of values, not of nodes one pages
      // through. Search results and numbers of a period are entries that `node(id)` does not return, so no nodes.
      '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
      // `Me` is the beginning of `media`.
      '@graphql-eslint/no-typename-prefix': 'off',
    },
  },
];
