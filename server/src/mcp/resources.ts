import { readFile } from 'node:fs/promises';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { printedSchema } from '../gql/printed-schema.ts';
import { AppError, ERROR_CATALOGUE } from '../kernel/errors.ts';
import type { ToolOptions } from './registry/operation-tool.ts';
import { resultShape } from './registry/result-shape.ts';
import { type Caller, runOperation } from './session/caller.ts';
import type { ToolRegistry } from './tool-registry.ts';

const DOCS = new URL('../../../docs/', import.meta.url);

interface Document extends Resource {
  readonly text: (options: ToolOptions) => Promise<string> | string;
}

/** Documents that a client can read. */
const DOCUMENTS: readonly Document[] = [
  document(
    'reelgraph://schema',
    'schema',
    'The whole GraphQL schema, described field by field.',
    'text/plain',
    ({ engine }) => printedSchema(engine.schema),
  ),
  document(
    'reelgraph://errors',
    'errors',
    'Every error code: what happened, and how to fix it.',
    'text/markdown',
    errorPages,
  ),
  ...Object.entries({
    limits: 'All limits: sizes, rates, pages, uploads.',
    events: 'The event types, streams and webhooks.',
    privacy: 'What data about viewers is stored, and what is not.',
    'guides/first-upload': 'From a file to a playable address, step by step.',
    'guides/series': 'Series, seasons and episodes: creating, publishing, ordering.',
    'guides/webhooks': 'Receiving and verifying webhooks.',
    'guides/streams': 'Sizes, audio tracks, storyboards and playlists of a processed video.',
    'guides/playback-tokens': 'Playing private videos on another site, with tokens that it signs.',
  }).map(([file, about]) => {
    const name = file.replace('guides/', '');
    return document(`reelgraph://guides/${name}`, name, about, 'text/markdown', () =>
      readFile(new URL(`${file}.md`, DOCS), 'utf8'),
    );
  }),
];

function document(uri: string, name: string, description: string, mimeType: string, text: Document['text']): Document {
  return { uri, name, description, mimeType, text };
}

function errorPages(): string {
  return Object.entries(ERROR_CATALOGUE)
    .map(
      ([code, { message, explanation, suggestedFix }]) =>
        `## ${code}\n\n${message} ${explanation}\n\nHow to fix it: ${suggestedFix}`,
    )
    .join('\n\n');
}

export const RESOURCES: readonly Resource[] = DOCUMENTS.map(({ text: _text, ...resource }) => resource);

/** Channels and contents by DID, which is a URI (RFC 3986). */
export function resourceTemplates(namespace: string): ResourceTemplateType[] {
  const mimeType = 'application/json';
  return [
    {
      uriTemplate: `did:${namespace}:channel/{id}`,
      name: 'channel',
      description: 'A channel with its latest contents.',
      mimeType,
    },
    {
      uriTemplate: `did:${namespace}:content/{kind}/{id}`,
      name: 'content',
      description: 'A content with its texts and metrics.',
      mimeType,
    },
  ];
}

/** Reads a document, or an object by its DID with the caller's rights. Throws an AppError for an unknown resource. */
export async function readResource(
  uri: string,
  toolRegistry: ToolRegistry,
  caller: Caller,
  options: ToolOptions,
): Promise<ReadResourceResult> {
  const found = DOCUMENTS.find((each) => each.uri === uri);
  if (found) return { contents: [{ uri, mimeType: found.mimeType ?? 'text/plain', text: await found.text(options) }] };
  const kind = kindOfResource(uri);
  const query = kind === null ? undefined : toolRegistry.documentOf(`get_${kind}`);
  if (query === undefined) throw noResource(uri);
  const { body } = await runOperation(options.engine, caller, {
    query,
    variables: { id: uri, detail: true },
    queriesOnly: true,
  });
  const [value] = Object.values(body.data ?? {});
  if (value === null || value === undefined) throw noResource(uri, body.errors?.[0]?.message);
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(resultShape(value)) }] };
}

/** What a URI names; null if it can be no resource. */
export function kindOfResource(uri: string): 'document' | 'channel' | 'content' | null {
  if (DOCUMENTS.some((each) => each.uri === uri)) return 'document';
  if (/^did:[^:]+:channel\//.test(uri)) return 'channel';
  return /^did:[^:]+:content\//.test(uri) ? 'content' : null;
}

/** The error of a URI without a resource. */
export function noResource(uri: string, why = 'There is no such resource.'): AppError {
  return new AppError('RESOURCE_NOT_FOUND', `${why} (${uri.slice(0, 200)})`, {
    suggestedFix: 'Use an address that resources/list shows, or the DID of a channel or content.',
  });
}
