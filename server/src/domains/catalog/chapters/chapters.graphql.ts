import { type ArgBuilder, type EntityRef, type Graph, ifRevisionField, type RequestEnv } from '../../../gql/index.ts';
import { type MediaPermission, mediaPermission, playableVideo } from '../../assets/index.ts';
import {
  type Chapter,
  MAX_CHAPTER_TITLE,
  MAX_CHAPTERS,
  MIN_CHAPTER_MS,
  MIN_CHAPTERS,
  type ShownChapter,
  shownChapters,
} from './chapters.ts';
import { chaptersKey } from './serve-chapters.ts';
import { setContentChapters } from './set-chapters.ts';

type ChapterColumns = readonly [Chapter[] | null, string, number | null];

/** The columns that determine the chapters of the content `t`. */
function chapterColumns(t: string): [string, string, string] {
  return [`${t}.chapters`, `${t}.summary`, `${t}.duration_ms::float8`];
}

function readChapters([set, description, durationMs]: ChapterColumns): ShownChapter[] {
  return shownChapters({ set, description, durationMs });
}

/** Declares the chapters of contents, and the mutation that sets them. */
export function declareChapters(graph: Graph, Content: EntityRef): void {
  const Chapter = graph.object('Chapter', {
    description: 'A chapter of a video.',
    fields: (f) => ({
      startMs: f.value({ type: 'Int', description: 'Start in milliseconds.' }),
      endMs: f.value({
        type: 'Int',
        nullable: true,
        description:
          'End in milliseconds: the start of the next chapter, or the end of ' +
          'the video. Null while the length of the video is unknown.',
      }),
      title: f.value({ type: 'String', description: 'Title of the chapter.' }),
    }),
  });
  graph.extend(Content, (f) => ({
    chapters: f.column({
      type: [Chapter],
      description:
        `Its chapters in order, at most ${MAX_CHAPTERS}: those that were set, otherwise those listed in its ` +
        'description (lines such as "0:00 Intro"). Empty if there are none.',
      sql: (s) => chapterColumns(s.t),
      read: readChapters,
    }),
    chaptersUrl: f.column({
      type: 'URL',
      nullable: true,
      description:
        'Absolute address of the chapters as a WebVTT file; signed and valid for some hours unless the content ' +
        'is public. Null without chapters, and until its video is playable.',
      sql: (s) => [
        `${s.t}.id`,
        playableVideo(`${s.t}.id`),
        mediaPermission(`${s.t}.id`, s, `${s.t}.effective_visibility <> 'PRIVATE'`),
        ...chapterColumns(s.t),
      ],
      read: (
        [contentId, videoId, permission, ...columns]: [string, string | null, MediaPermission, ...ChapterColumns],
        env: RequestEnv,
      ) =>
        videoId === null || readChapters(columns).length === 0
          ? null
          : env.services.assets.mediaAddress(chaptersKey(contentId, videoId), permission, env.nowMs),
    }),
  }));
  declareMutation(graph, Content);
}

function declareMutation(graph: Graph, Content: EntityRef): void {
  const ChapterInput = graph.builder.inputType('ChapterInput', {
    description: 'A chapter of a video; it ends where the next one begins.',
    fields: (t) => ({
      startMs: t.int({ required: true, description: 'Start in milliseconds; 0 for the first.' }),
      title: t.string({ required: true, description: `Title of the chapter, 1 to ${MAX_CHAPTER_TITLE} characters.` }),
    }),
  });
  const SetContentChaptersInput = graph.builder.inputType('SetContentChaptersInput', {
    description: 'Chapters of a content.',
    fields: (t) => ({
      chapters: t.field({
        type: [ChapterInput],
        required: true,
        description:
          `All chapters in the order of their starts, ${MIN_CHAPTERS} to ${MAX_CHAPTERS} of at least ` +
          `${MIN_CHAPTER_MS / 1000} seconds each; an empty list removes the chapters.`,
      }),
      ifRevision: ifRevisionField(t, 'the content'),
    }),
  });
  graph.mutation('setContentChapters', {
    access: 'content:update',
    description:
      'Sets the chapters of a content of yours and replaces earlier ' +
      'ones. Without chapters, they are read from its description.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: SetContentChaptersInput, required: true, description: 'The chapters.' }),
    }),
    statement: setContentChapters,
  });
}
