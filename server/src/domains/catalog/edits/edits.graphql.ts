import type { ArgBuilder, EntityRef, Graph, PayloadFields } from '../../../gql/index.ts';
import { processing } from '../../../kernel/key-budgets.ts';
import { requireAccount } from '../../channels/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { CONTENT_ACTIONS, CONTENT_CHANGE } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { isVisibleContent } from '../contents/content-visibility.sql.ts';
import { actorOf } from '../services.ts';
import { clipColumns } from './clips.sql.ts';
import { createClip, revertVideo, trimVideo } from './edit-video.ts';
import { MAX_RANGES } from './read-ranges.ts';

interface Types {
  readonly Content: EntityRef;
  readonly assets: MediaTypes;
  readonly TimeRange: EntityRef;
}

/** Declares trimContentVideo, revertContentVideo and createClip, and where clips are from. */
export function declareEdits(graph: Graph, types: Types): void {
  const { Content, TimeRange } = types;
  graph.extend(Content, (f) => ({
    clippedFrom: f.one({
      type: Content,
      nullable: true,
      description: 'The content that it is a clip of; null for others, and where that is not visible to the viewer.',
      on: (child, s) => `${child}.id = ${s.t}.clipped_from and ${isVisibleContent(child, s)}`,
    }),
    clipRange: f.column({
      type: TimeRange,
      nullable: true,
      description: 'For a clip, its range in the source video as that was when the clip was made; otherwise null.',
      sql: (s) => clipColumns(s.t),
      read: ([startMs, endMs]: [number | null, number | null]) =>
        startMs === null || endMs === null ? null : { startMs, endMs },
    }),
  }));
  const payload: PayloadFields = (f) => ({
    content: f.read({
      type: Content,
      description: 'The content. Its video is played as it is until the job is done.',
    }),
    job: f.read({ type: types.assets.TranscodeJob, description: 'Cutting and processing of the video.' }),
  });
  declareTrim(graph, payload);
  declareCreateClip(graph, payload);
}

function declareTrim(graph: Graph, payload: PayloadFields): void {
  const TimeRangeInput = graph.builder.inputType('TimeRangeInput', {
    description: 'A part of a video.',
    fields: (t) => ({
      startMs: t.int({ required: true, description: 'Its start in milliseconds.' }),
      endMs: t.int({ required: true, description: 'Its end in milliseconds, a second or more later.' }),
    }),
  });
  const TrimContentVideoInput = graph.builder.inputType('TrimContentVideoInput', {
    description: 'What to keep of a video.',
    fields: (t) => ({
      keep: t.field({
        type: [TimeRangeInput],
        required: true,
        description:
          `The parts of the video, as it is played now, to keep: 1 to ${MAX_RANGES} in order, apart from each other. ` +
          'They are exact to the frame.',
      }),
    }),
  });
  graph.mutation('trimContentVideo', {
    access: 'asset:upload',
    policies: [CONTENT_ACTIONS.replaceVideo],
    charges: processing,
    description:
      'Removes the beginning, the end or other parts of the video of a content of yours that is ready or published. ' +
      'Captions and chapters move with it. The video is played as it is until the job is done, and stays so if that ' +
      'fails. The original is kept and counts as storage: revertContentVideo plays it again.',
    payload,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: TrimContentVideoInput, required: true, description: 'What to keep.' }),
    }),
    command: async (context, { id, input }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      return { content: content.id, job: await trimVideo(context.services.catalog, actor, content, input.keep) };
    },
  });
  graph.mutation('revertContentVideo', {
    access: 'asset:upload',
    policies: [CONTENT_ACTIONS.replaceVideo],
    charges: processing,
    description:
      'Plays the original of a trimmed video again, once it is processed. Captions and chapters move back; ' +
      'those not edited since the trim are restored exactly.',
    payload,
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    command: async (context, { id }) => {
      const content = readContentId(context, id, 'id');
      const actor = actorOf(requireAccount(context));
      return { content: content.id, job: await revertVideo(context.services.catalog, actor, content) };
    },
  });
}

function declareCreateClip(graph: Graph, payload: PayloadFields): void {
  const CreateClipInput = graph.builder.inputType('CreateClipInput', {
    description: 'A clip: its source, its range and its title.',
    fields: (t) => ({
      content: t.field({
        type: 'DID',
        required: true,
        description: 'Id of a content of yours with a video, or of a stream that is live.',
      }),
      startMs: t.int({
        required: true,
        description: 'Where it starts in the video, in milliseconds; of a broadcast, from its beginning.',
      }),
      endMs: t.int({ required: true, description: 'Where it ends in milliseconds, a second or more later.' }),
      title: t.string({ required: true, description: 'Title of the clip.' }),
    }),
  });
  graph.mutation('createClip', {
    access: 'content:create',
    policies: [CONTENT_CHANGE],
    charges: processing,
    description:
      'Creates a content of a part of the video of a content of yours, in the same channel, with the captions and ' +
      'chapters of that part. It is private, and not published. Follow it with waitForProcessing. Of a stream that ' +
      'is live, it is a part of Broadcast.clippableRange, and made while the broadcast goes on.',
    payload,
    args: (t: ArgBuilder) => ({ input: t.field({ type: CreateClipInput, required: true, description: 'The clip.' }) }),
    command: async (context, { input }) => {
      const content = readContentId(context, input.content, 'input.content');
      const actor = actorOf(requireAccount(context));
      context.requirePermission('asset:upload');
      const { contentId, jobId } = await createClip(context.services.catalog, actor, content, input);
      return { content: contentId, job: jobId };
    },
  });
}
