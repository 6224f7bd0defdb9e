import type { EntityRef, Graph, RunEnv } from '../../gql/index.ts';
import { isMember } from '../channels/index.ts';
import { captionsKey } from './serve-captions.ts';
import { isKeptContent, isOpenContent, playableVideo } from './visibility.ts';

export interface CaptionsTypes {
  readonly Captions: EntityRef;
  readonly CaptionsKind: ReturnType<typeof declareKind>;
}

/** Declares Captions: a text shown with a video. */
export function declareCaptions(graph: Graph, { Node }: { Node: EntityRef }): CaptionsTypes {
  const CaptionsKind = declareKind(graph);
  const address = (format: 'vtt' | 'srt') => (row: [string, string | null, string, number, boolean], env: RunEnv) => {
    const [contentId, videoId, id, version, open] = row;
    return videoId === null
      ? null
      : env.services.assets.mediaAddress(captionsKey(contentId, videoId, id, version, format), open, env.nowMs);
  };
  const columns = (t: string) => [
    `${t}.content_id`,
    playableVideo(`${t}.content_id`),
    `${t}.id`,
    `${t}.version`,
    isOpenContent(`${t}.content_id`),
  ];
  const Captions = graph.entity('Captions', {
    description: 'A text in one language that is shown with a video.',
    table: 'captions',
    interfaces: [Node],
    node: {
      kinds: ['captions'],
      where: (child, s) =>
        `(${isOpenContent(`${child}.content_id`)} or (${isMember(s, `${child}.channel_id`)} and ${isKeptContent(`${child}.content_id`)}))`,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('captions', id),
      }),
      language: f.column({
        type: 'String',
        description: 'Their language, as a BCP 47 tag such as en or pt-BR.',
        sql: (s) => `${s.t}.language`,
      }),
      label: f.column({ type: 'String', description: 'What viewers choose them by.', sql: (s) => `${s.t}.label` }),
      kind: f.column({ type: CaptionsKind, description: 'What they are.', sql: (s) => `${s.t}.kind` }),
      isDefault: f.column({
        type: 'Boolean',
        description: 'Whether they are shown unless the viewer chooses otherwise.',
        sql: (s) => `${s.t}.is_default`,
      }),
      vtt: f.column({
        type: 'String',
        nullable: true,
        description:
          'Absolute address of the WebVTT file; signed and valid for some hours unless the content is open to all. Null until its video can be played.',
        sql: (s) => columns(s.t),
        read: address('vtt'),
      }),
      srt: f.column({
        type: 'String',
        nullable: true,
        description: 'Absolute address of the SubRip file; as vtt.',
        sql: (s) => columns(s.t),
        read: address('srt'),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When they were added.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
  return { Captions, CaptionsKind };
}

function declareKind(graph: Graph) {
  return graph.builder.enumType('CaptionsKind', {
    description: 'What captions are.',
    values: {
      SUBTITLES: { description: 'What is said, for those who do not understand the language.' },
      CAPTIONS: { description: 'What is said and heard, for those who do not hear it.' },
      DESCRIPTIONS: { description: 'What is seen, for those who do not see it; players of HLS do not offer these.' },
    } as const,
  });
}
