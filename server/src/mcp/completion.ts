import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { isEnumType } from 'graphql';
import { CONTENT_DID_KINDS, CONTENT_KINDS } from '../kernel/content-kinds.ts';
import { AppError } from '../kernel/errors.ts';
import { PROMPTS } from './prompts.ts';
import { resourceTemplates } from './resources.ts';
import { type Caller, runOperation, type ToolEngine } from './session/caller.ts';

/** The most a completion may have (MCP "Completion", section "Completion Results"). */
const MAX_VALUES = 100;
/** Longer text finds nothing. */
const MAX_TYPED = 200;

/** A value for an argument, and the texts by which a person may begin to type it. */
interface Suggestion {
  readonly value: string;
  readonly texts?: readonly string[];
}

interface Completing {
  readonly engine: ToolEngine;
  readonly caller: Caller;
  /** What was typed so far. */
  readonly typed: string;
  /** Other arguments that are known already. */
  readonly others: Readonly<Record<string, string>>;
}

interface Suggestions {
  readonly items: readonly Suggestion[];
  /** Whether others may match that were not read. */
  readonly hasMore: boolean;
}

type Suggest = (completing: Completing) => Promise<Suggestions> | Suggestions;

/** Arguments with known values, as `PROMPT.ARGUMENT` and `TEMPLATE.ARGUMENT`; others are free text. */
const ARGUMENTS: Readonly<Record<string, Suggest>> = {
  'publish_a_video.category': categories,
  'review_a_channel.channel': ownChannels,
  'review_a_channel.range': analyticsRanges,
  'channel.id': async (completing) => withoutKinds(await ownChannels(completing)),
  'content.kind': () => these(CONTENT_DID_KINDS),
  'content.id': async (completing) => withoutKinds(await ownContents(completing)),
};

/**
 * Values of an argument of a prompt or a resource template that begin with the typed text, or whose name or title does.
 * They are read as the caller: what it may not read is not among them. Throws INVALID_INPUT for an unknown argument.
 */
export async function complete(
  { ref, argument, context }: CompleteRequest['params'],
  options: { readonly engine: ToolEngine; readonly caller: Caller; readonly namespace: string },
): Promise<CompleteResult> {
  const owner =
    ref.type === 'ref/prompt' ? promptOf(ref.name, argument.name) : templateOf(ref.uri, argument.name, options);
  const suggest = ARGUMENTS[`${owner}.${argument.name}`];
  const typed = argument.value.trim().toLowerCase();
  if (!suggest || typed.length > MAX_TYPED) return { completion: { values: [], hasMore: false } };
  const { items, hasMore } = await suggest({ ...options, typed, others: context?.arguments ?? {} });
  const begins = (text: string) => text.toLowerCase().startsWith(typed);
  const found = items.filter(({ value, texts = [] }) => begins(value) || texts.some(begins));
  const values = [...new Set(found.map(({ value }) => value))];
  return { completion: { values: values.slice(0, MAX_VALUES), hasMore: hasMore || values.length > MAX_VALUES } };
}

function promptOf(name: string, argument: string): string {
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt?.arguments?.some((each) => each.name === argument)) throw unknownArgument(name, argument);
  return name;
}

function templateOf(uri: string, argument: string, { namespace }: { readonly namespace: string }): string {
  const template = resourceTemplates(namespace).find(({ uriTemplate }) => uriTemplate === uri);
  if (!template?.uriTemplate.includes(`{${argument}}`)) throw unknownArgument(uri, argument);
  return template.name;
}

function unknownArgument(owner: string, argument: string): AppError {
  return new AppError('INVALID_INPUT', `${owner.slice(0, 80)} has no argument ${argument.slice(0, 80)}.`, {
    suggestedFix: 'Take names and arguments from prompts/list and resources/templates/list.',
  });
}

interface Connection<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean };
  readonly edges: readonly { readonly node: Node }[];
}

const MORE = 'pageInfo { hasNextPage }';
const CHANNELS = `query OwnChannels {
  me { channels(first: 100) { ${MORE} edges { node { channel { id handle name } } } } }
}`;

async function ownChannels(completing: Completing): Promise<Suggestions> {
  type Membership = { channel: { id: string; handle: string; name: string } };
  const data = await read<{ me: { channels: Connection<Membership> } }>(completing, CHANNELS);
  return from(data?.me.channels, ({ channel: { id, handle, name } }) => ({ value: id, texts: [name, handle] }));
}

const CONTENT = `${MORE} edges { node { id metadata { title } } }`;
const NEWEST = `query OwnContents($channel: DID!, $kinds: [ContentKind!]) {
  channel(id: $channel) { contents(first: 100, kinds: $kinds) { ${CONTENT} } }
}`;
const FOUND = `query FoundContents($filter: ContentFilter!) { contents(first: 100, filter: $filter) { ${CONTENT} } }`;

/** The newest contents of the caller's channel, drafts included, and published ones of any age that search finds. */
async function ownContents(completing: Completing): Promise<Suggestions> {
  type Content = { id: string; metadata: { title: string } };
  const { typed, others, caller } = completing;
  const kind = Object.entries(CONTENT_KINDS).find(([, { did }]) => did === others['kind'])?.[0];
  const kinds = kind === undefined ? null : [kind];
  const channel = caller.channelId;
  const titled = ({ id, metadata }: Content): Suggestion => ({ value: id, texts: [metadata.title] });
  const filter = { channel, kinds, query: typed };
  const [own, searched] = await Promise.all([
    read<{ channel: { contents: Connection<Content> | null } }>(completing, NEWEST, { channel, kinds }),
    typed === '' ? null : read<{ contents: Connection<Content> }>(completing, FOUND, { filter }),
  ]);
  const [newest, found] = [from(own?.channel.contents, titled), from(searched?.contents, titled)];
  return { items: [...newest.items, ...found.items], hasMore: searched ? found.hasMore : newest.hasMore };
}

const CATEGORIES = `query Categories { categories(first: 100) { ${MORE} edges { node { slug name } } } }`;

async function categories(completing: Completing): Promise<Suggestions> {
  const data = await read<{ categories: Connection<{ slug: string; name: string }> }>(completing, CATEGORIES);
  return from(data?.categories, ({ slug, name }) => ({ value: name, texts: [slug] }));
}

/** A prompt has no dates, which CUSTOM needs. */
function analyticsRanges({ engine }: Completing): Suggestions {
  const type = engine.schema.getType('AnalyticsRange');
  const names = isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
  return these(names.filter((name) => name !== 'CUSTOM'));
}

/** The data of a query of the caller; null when it is refused: suggestions are no place for errors. */
async function read<Data>(
  { engine, caller }: Completing,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data | null> {
  const { body } = await runOperation(engine, caller, { query, variables, queriesOnly: true });
  return body.errors === undefined ? (body.data as Data) : null; // the shape of the query
}

function from<Node>(
  connection: Connection<Node> | null | undefined,
  suggestion: (node: Node) => Suggestion,
): Suggestions {
  if (!connection) return { items: [], hasMore: false };
  return {
    items: connection.edges.map(({ node }) => suggestion(node)),
    hasMore: connection.pageInfo.hasNextPage,
  };
}

function these(values: readonly string[]): Suggestions {
  return { items: values.map((value) => ({ value })), hasMore: false };
}

/** With the last part of each DID only, which is what a template has a variable for. */
function withoutKinds({ items, hasMore }: Suggestions): Suggestions {
  return {
    items: items.map((item) => ({ ...item, value: item.value.slice(item.value.lastIndexOf('/') + 1) })),
    hasMore,
  };
}
