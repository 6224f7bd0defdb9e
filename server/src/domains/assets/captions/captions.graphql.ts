import {
  type EntityRef,
  type Graph,
  outputFields,
  type RequestEnv,
  type RowScope,
  revisionField,
} from '../../../gql/index.ts';
import type { MediaPermission } from '../media-address.ts';
import { isOpenContent, isVisibleCaptions, mediaPermission, playableVideo } from '../visibility.sql.ts';
import { CAPTIONS_PROPERTIES } from './captions-fields.ts';
import { captionsKey } from './captions-key.ts';
import { labelOfCaptions } from './captions-label.sql.ts';
import { defaultCaptions } from './default-captions.sql.ts';

export interface CaptionsTypes {
  readonly Captions: EntityRef;
  readonly CaptionsKind: ReturnType<typeof declareKind>;
  readonly AutomaticCaptionsKind: ReturnType<typeof declareAutomaticKind>;
}

/** The columns of a caption file's address. */
function addressColumns(s: RowScope): string[] {
  const { t } = s;
  const content = `${t}.content_id`;
  const permission = mediaPermission(content, s, isOpenContent(content));
  return [content, playableVideo(content), `${t}.id`, `${t}.version`, permission];
}

function addressOf(format: 'vtt' | 'srt') {
  return (
    [contentId, videoId, id, version, permission]: [string, string | null, string, number, MediaPermission],
    env: RequestEnv,
  ): string | null =>
    videoId === null
      ? null
      : env.services.assets.mediaAddress(captionsKey(contentId, videoId, id, version, format), permission, env.nowMs);
}

/** Declares Captions. */
export function declareCaptions(graph: Graph, { Node }: { Node: EntityRef }): CaptionsTypes {
  const CaptionsKind = declareKind(graph);
  const AutomaticCaptionsKind = declareAutomaticKind(graph);
  const Captions = graph.entity('Captions', {
    description: 'Captions in one language.',
    table: 'captions',
    interfaces: [Node],
    node: {
      kinds: ['captions'],
      where: isVisibleCaptions,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('captions', id),
      }),
      ...outputFields(f, CAPTIONS_PROPERTIES),
      label: f.column({
        type: 'String',
        description: 'Label that viewers choose them by; that of automatic ones says so: English (auto-generated).',
        sql: (s) => labelOfCaptions(s.t),
      }),
      vtt: f.column({
        type: 'URL',
        nullable: true,
        description:
          'Absolute address of the WebVTT file; signed and valid for some hours ' +
          'unless the content is public. Null until its video is playable.',
        sql: addressColumns,
        read: addressOf('vtt'),
      }),
      srt: f.column({
        type: 'URL',
        nullable: true,
        description: 'Absolute address of the SubRip file; like vtt.',
        sql: addressColumns,
        read: addressOf('srt'),
      }),
      version: f.column({
        type: 'Int',
        description: 'Number of their text, which increases when it changes; for ifVersion of updateContentCaptions.',
        sql: (s) => `${s.t}.version`,
      }),
      isEmbedded: f.column({
        type: 'Boolean',
        description: 'Whether they were found in the video file: then they cannot be changed, and are deleted with it.',
        sql: (s) => `${s.t}.video_asset_id is not null`,
      }),
      isAutomatic: f.column({
        type: 'Boolean',
        description:
          'Whether a program made them, from speech or by translation. Once their text is edited they are yours.',
        sql: (s) => `${s.t}.automatic is not null`,
      }),
      automaticKind: f.column({
        type: AutomaticCaptionsKind,
        nullable: true,
        description: 'What made automatic ones; null for others.',
        sql: (s) => `${s.t}.automatic`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When they were added.', sql: (s) => `${s.t}.created_at` }),
      revision: revisionField(f),
    }),
  });
  return { Captions, CaptionsKind, AutomaticCaptionsKind };
}

/** Declares the captions of a video's outputs. */
export function declareOutputSubtitleAssets(graph: Graph, OutputAssets: EntityRef): void {
  const OutputSubtitleAssets = graph.entity('OutputSubtitleAssets', {
    description: 'The captions to show by default.',
    table: 'captions',
    fields: (f) => ({
      srt: f.column({
        type: 'URL',
        nullable: true,
        description:
          'Absolute address of the SubRip file; signed and valid for some hours unless the content is public.',
        sql: addressColumns,
        read: addressOf('srt'),
      }),
      vtt: f.column({
        type: 'URL',
        nullable: true,
        description: 'Absolute address of the WebVTT file; like srt.',
        sql: addressColumns,
        read: addressOf('vtt'),
      }),
    }),
  });
  graph.extend(OutputAssets, (f) => ({
    subtitles: f.one({
      type: OutputSubtitleAssets,
      nullable: true,
      description: 'Its default captions, or the first ones if none are the default; null if there are none.',
      on: (child, s) => `${child}.id = ${defaultCaptions(`${s.t}.content_id`)}`,
    }),
  }));
}

function declareKind(graph: Graph) {
  return graph.builder.enumType('CaptionsKind', {
    description: 'Kind of captions.',
    values: {
      SUBTITLES: { description: 'Speech, for people who do not understand the language.' },
      CAPTIONS: { description: 'Speech and sounds, for people who cannot hear them.' },
      DESCRIPTIONS: {
        description: 'Descriptions of the picture, for people who cannot see it; HLS players do not offer these.',
      },
    } as const,
  });
}

function declareAutomaticKind(graph: Graph) {
  return graph.builder.enumType('AutomaticCaptionsKind', {
    description: 'What makes captions automatically.',
    values: {
      SPEECH: { description: 'Recognition of the speech of a video.' },
      TRANSLATION: { description: 'Translation of other captions.' },
    } as const,
  });
}
