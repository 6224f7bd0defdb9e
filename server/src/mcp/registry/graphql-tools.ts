import type { GraphQLSchema } from 'graphql';
import { AppError } from '../../kernel/errors.ts';
import { runOperation } from '../session/caller.ts';
import { annotationsOf, refuseUnknown, type ToolOptions } from './operation-tool.ts';
import { findInSchema } from './schema-search.ts';
import type { Tool } from './tool.ts';
import { refusal, refusedWith, toolResult } from './tool-result.ts';

const OPERATION_ARGUMENTS = {
  query: { type: 'string', description: 'The document.' },
  variables: { type: 'object', description: 'The variables.' },
  operationName: { type: 'string', description: 'Name of the operation, if there are several.' },
} as const;

const SEARCH_ARGUMENTS = {
  query: { type: 'string', description: 'Search words, or the exact name of a type or field.' },
  limit: { type: 'integer', description: 'Maximum number of results.', default: 10 },
} as const;

/** Maximum length of a query: every word is searched in the whole schema. */
const MAX_SEARCH = 200;

/** Tools for everything else: any query, any mutation, and a schema search. */
export function graphqlTools(options: ToolOptions): Tool[] {
  return [searchTool(options), documentTool(options, 'query'), documentTool(options, 'mutation')];
}

function documentTool(options: ToolOptions, operation: 'query' | 'mutation'): Tool {
  const isReadOnly = operation === 'query';
  const name = isReadOnly ? 'graphql_query' : 'graphql_mutate';
  return {
    definition: {
      name,
      title: isReadOnly ? 'Run a GraphQL query' : 'Run a GraphQL mutation',
      description: isReadOnly
        ? 'Runs any query of the API, for everything without a tool. Find ' +
          'fields with search_schema first; select only the fields you need.'
        : 'Runs any mutation of the API, for everything without a tool. Find it with search_schema first.',
      inputSchema: {
        type: 'object',
        properties: OPERATION_ARGUMENTS,
        required: ['query'],
        additionalProperties: false,
      },
      annotations: annotationsOf({ isReadOnly, destructive: true, idempotent: false }),
    },
    toolset: 'graphql',
    isQuiet: false,
    isReadOnly,
    isDestructive: !isReadOnly,
    access: [],
    async call(call) {
      const refused =
        refuseUnknown(name, Object.keys(OPERATION_ARGUMENTS), call, options) ??
        refuseWrongTypes(call.arguments, options);
      if (refused) return refused;
      const { query, variables, operationName } = call.arguments;
      // The types are checked above.
      const operation = {
        query: query as string,
        variables: variables as Record<string, unknown> | undefined,
        operationName: operationName as string,
      };
      const result = await runOperation(options.engine, call.caller, { ...operation, queriesOnly: isReadOnly });
      return result.needsPost ? refusedWith(readsOnly(), options.baseUrl) : toolResult(result);
    },
  };
}

function readsOnly(): AppError {
  return new AppError('GRAPHQL_VALIDATION_FAILED', 'graphql_query runs queries, and this is a mutation.', {
    field: 'query',
    suggestedFix: 'Send it with graphql_mutate; in a script, with tools.graphql_mutate({ query, variables }).',
  });
}

function refuseWrongTypes(
  { query, variables, operationName }: Readonly<Record<string, unknown>>,
  options: ToolOptions,
) {
  if (typeof query !== 'string') return refusal('query', 'is a GraphQL document as text', options.baseUrl);
  if (variables !== undefined && (typeof variables !== 'object' || variables === null || Array.isArray(variables)))
    return refusal('variables', "is an object of the document's variables", options.baseUrl);
  if (operationName !== undefined && typeof operationName !== 'string')
    return refusal('operationName', 'is a name', options.baseUrl);
  return null;
}

function searchTool(options: ToolOptions): Tool {
  const schema: GraphQLSchema = options.engine.schema;
  return {
    definition: {
      name: 'search_schema',
      title: 'Search the schema',
      description:
        'Searches operations, types, fields and arguments of the GraphQL ' +
        'API by words or by name, and returns their definitions.',
      inputSchema: { type: 'object', properties: SEARCH_ARGUMENTS, required: ['query'], additionalProperties: false },
      annotations: annotationsOf({ isReadOnly: true, destructive: false, idempotent: true }),
    },
    toolset: 'graphql',
    isQuiet: false,
    isReadOnly: true,
    isDestructive: false,
    access: [],
    async call(call) {
      const refused = refuseUnknown('search_schema', Object.keys(SEARCH_ARGUMENTS), call, options);
      if (refused) return refused;
      const { query, limit = SEARCH_ARGUMENTS.limit.default } = call.arguments;
      if (typeof query !== 'string' || query.trim() === '' || query.length > MAX_SEARCH)
        return refusal('query', `is text with at least one word, ${MAX_SEARCH} characters at most`, options.baseUrl);
      if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > 50)
        return refusal('limit', 'is a whole number from 1 to 50', options.baseUrl);
      const found = findInSchema(schema, query, Number(limit));
      const text =
        found.length === 0
          ? 'Nothing in the schema matches these words.'
          : found.map(({ definition }) => definition).join('\n\n');
      return { content: [{ type: 'text', text }], structuredContent: { found } };
    },
  };
}
