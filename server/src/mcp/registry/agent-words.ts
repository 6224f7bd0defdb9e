import { type GraphQLSchema, Kind, type ValueNode } from 'graphql';
import type { GraphqlResult } from '../../gql/requests.ts';
import { isObject } from './result-shape.ts';
import type { ToolFile } from './tool-file.ts';

/** What texts of the API name by its path in a query, as an agent reads it. */
export const PATHS: Readonly<Record<string, string>> = {
  'features the published ones': 'list_contents the published ones',
  'me.channel.contents': 'list_my_contents',
  'me.channel.id': 'me.id of get_me',
  'me.channels': 'get_me',
  'me.credits': 'get_me',
  'me.credits.derivedStorage': 'get_me',
  'me.username': 'username of get_me',
  'content.tests': 'get_content_test',
  'content.tests.variants': 'get_content_test',
  'content.transcodeJob': 'get_processing_status',
  'transcodeJob.error': 'the error of get_processing_status',
  'playlist.items': 'get_playlist',
  'comments(contentId)': 'list_comments',
  ...Object.fromEntries(
    [
      ...['me.channel.playlists', 'me.channelInvitations', 'me.notificationSettings', 'me.billing.offers'],
      ...['channel.members', 'channel.reports', 'channel.trash', 'content.captions', 'content.assets.images'],
      ...['instance.featuresOff', 'instance.logo'],
    ].map((path) => [path, `${path} (graphql_query)`]),
  ),
};
/** Names with capitals inside: others are also words of a sentence. */
const CAMEL_CASE = /^[a-z]+[A-Z]/;
/** Keys of results with sentences of the platform that name operations. */
const SENTENCES: ReadonlySet<string> = new Set(['error', 'hint', 'message', 'suggestedFix']);

/**
 * The API's errors and hints in the words of an agent: tools instead of operations, and arguments of the tool instead
 * of paths in the input of its operation.
 */
export class AgentWords {
  readonly #names: ReadonlyMap<string, string>;
  readonly #pattern: RegExp;

  constructor(schema: GraphQLSchema, files: readonly ToolFile[]) {
    const tools = new Map(files.flatMap((file) => rootFieldsOf(file).map((field) => [field.name.value, file.name])));
    const operations = [
      ...namesIn(schema.getMutationType(), tools, 'graphql_mutate'),
      ...namesIn(schema.getQueryType(), tools, 'graphql_query'),
    ];
    this.#names = new Map([...operations, ...Object.entries(PATHS)]);
    const longestFirst = [...this.#names.keys()].sort((a, b) => b.length - a.length);
    const escaped = longestFirst.map((name) => name.replaceAll(/[.()]/g, String.raw`\$&`));
    this.#pattern = new RegExp(String.raw`(?<![\w./])(${escaped.join('|')})(?!\w)(?:\([\w, ]+\))?`, 'g');
  }

  /** A sentence of the API. */
  text(text: string): string {
    return text
      .replaceAll(this.#pattern, (_, name: string) => this.#names.get(name) ?? name)
      .replaceAll(/\binput\.(?=[a-z])/g, '');
  }

  /** The response of the tool's operation. */
  result(result: GraphqlResult, file: ToolFile): GraphqlResult {
    const { errors, data } = result.body;
    if (data === undefined && errors === undefined) return result;
    const args = argumentsOf(file);
    const body = {
      ...result.body,
      ...(data === undefined ? {} : { data: this.#data(data, args) }),
      ...(errors === undefined
        ? {}
        : {
            errors: errors.map(({ extensions, ...error }) => ({
              ...error,
              message: this.text(error.message),
              ...(extensions ? { extensions: this.#error(extensions, args) } : {}),
            })),
          }),
    };
    return { ...result, body };
  }

  #error(extensions: Readonly<Record<string, unknown>>, args: ReadonlyMap<string, string>): Record<string, unknown> {
    const { field, suggestedFix } = extensions;
    return {
      ...extensions,
      ...(typeof field === 'string' ? { field: argumentOf(field, args) } : {}),
      ...(typeof suggestedFix === 'string' ? { suggestedFix: this.text(suggestedFix) } : {}),
    };
  }

  #data(value: unknown, args: ReadonlyMap<string, string>): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#data(each, args));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (typeof inner !== 'string') return [key, this.#data(inner, args)];
        if (key === 'field' && 'suggestedFix' in value) return [key, argumentOf(inner, args)];
        return [key, SENTENCES.has(key) ? this.text(inner) : inner];
      }),
    );
  }
}

function rootFieldsOf({ operation }: ToolFile) {
  return operation.selectionSet.selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection] : []));
}

/** How to call each root field: the name of its tool, or the tool for all operations. */
function namesIn(
  type: ReturnType<GraphQLSchema['getQueryType']>,
  tools: ReadonlyMap<string, string>,
  otherwise: string,
): [string, string][] {
  return Object.keys(type?.getFields() ?? {})
    .filter((name) => CAMEL_CASE.test(name))
    .map((name) => [name, tools.get(name) ?? `${name} (${otherwise})`]);
}

/** The tool's arguments by the path of the operation's argument that they are: `input.sourceUrl`. */
function argumentsOf(file: ToolFile): ReadonlyMap<string, string> {
  return new Map(
    rootFieldsOf(file).flatMap((field) =>
      (field.arguments ?? []).flatMap(({ name, value }) => variablesIn(value, name.value)),
    ),
  );
}

function variablesIn(value: ValueNode, path: string): [string, string][] {
  if (value.kind === Kind.VARIABLE) return [[path, value.name.value]];
  if (value.kind !== Kind.OBJECT) return [];
  return value.fields.flatMap((field) => variablesIn(field.value, `${path}.${field.name.value}`));
}

/** `input.chapters[2].title` is `chapters[2].title` where the tool's argument `chapters` is `input.chapters`. */
function argumentOf(field: string, args: ReadonlyMap<string, string>): string {
  for (
    let end = field.length;
    end > 0;
    end = Math.max(field.lastIndexOf('.', end - 1), field.lastIndexOf('[', end - 1))
  ) {
    const name = args.get(field.slice(0, end));
    if (name !== undefined) return name + field.slice(end);
  }
  return field.replace(/^input\./, '');
}
