import { readNew } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { contentTypeOf, type VideoContentType, type VideoHint, type VideoPresentation } from '../../assets/index.ts';
import { authorizeChannel } from '../../channels/index.ts';
import { type OpenedIngestion, openIngestion, startFetching } from '../../ingest/index.ts';
import { openProcessing } from '../../transcode/index.ts';
import { VIDEO_FIELDS, type VideoInput } from '../contents/content-fields.ts';
import { type Release, readRelease } from '../contents/content-input.ts';
import { insertContent } from '../contents/contents.store.ts';
import { requestEnhancement } from '../enhancement/enhancement.store.ts';
import { takePlace } from '../series/create-child.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { LAYOUT_OF_TYPE, readVideoSource, type VideoSource } from './video-source.ts';

export interface PublishVideoInput extends VideoInput {
  readonly contentType?: Maybe<VideoContentType>;
  readonly sourceUrl?: Maybe<string>;
  readonly filename?: Maybe<string>;
  readonly size?: Maybe<number>;
  /** The season or miniseries that the video becomes the next episode of. */
  readonly parent?: { readonly id: string; readonly kind: ContentKind } | null;
  readonly videoHint?: Maybe<VideoPresentation>;
  readonly publish?: Maybe<boolean>;
  /** Whether the video is enhanced once it is processed; default false. */
  readonly enhance?: Maybe<boolean>;
  /** Unix milliseconds. */
  readonly releaseMs: number | null;
}

export interface StartedVideo {
  readonly contentId: ContentId;
  readonly kind: 'FEATURE' | 'SHORT' | 'EPISODE';
  readonly jobId: string;
  /** Null where the server fetches the file. */
  readonly upload: OpenedIngestion | null;
}

/**
 * Creates the content and either opens the upload of its file or queues fetching it; processing follows automatically,
 * and then publication unless `publish` is false. With a parent it is an episode. All in one transaction: a refused
 * call writes nothing.
 * @throws AppError for the texts, the channel, the source, the size (plan limits) and the release date, each with its
 *   field.
 */
export async function publishVideo(
  tools: CatalogServices,
  actor: Actor,
  channelId: string | null,
  input: PublishVideoInput,
): Promise<StartedVideo> {
  const nowMs = tools.clock.now();
  const presentation = input.videoHint ?? 'NONE';
  const type = input.contentType ?? contentTypeOf(presentation);
  const hint = presentation === 'NONE' ? type : presentation;
  const values = readNew(VIDEO_FIELDS, { ...input, layout: input.layout ?? LAYOUT_OF_TYPE[type] });
  const source = readVideoSource(input);
  const { parent = null } = input;
  const kind = parent ? 'EPISODE' : type === 'SHORT' ? 'SHORT' : 'FEATURE';
  if (parent && channelId !== null) throw channelOfEpisode();
  const plan = readPublication(input, nowMs);
  if (source.kind === 'url') await checkSource(tools, source.url);
  return tools.db.transaction(async (tx) => {
    const viewer = actor.scope;
    const place = parent && (await takePlace(tx, { viewer, parent, number: null, field: 'input.parent' }));
    const channel = place?.channelId ?? (await ownChannel(tx, actor, channelId));
    const contentId = newId<'content'>(nowMs);
    await insertContent(tx, { id: contentId, channel, kind, values, place, ...plan }, nowMs);
    if (input.enhance === true) await requestEnhancement(tx, contentId, true);
    await appendEvent(tx, { type: 'content.created', channelId: channel, subjectId: contentId });
    return {
      contentId,
      kind,
      ...(await startSource(tools, tx, actor, { contentId, channelId: channel, hint }, source)),
    };
  });
}

function readPublication(
  input: PublishVideoInput,
  nowMs: number,
): { publishWhenReady: boolean } & Pick<Release, 'releaseAt'> {
  const { releaseAt } = readRelease(input.releaseMs, nowMs, 'input.releaseDate');
  const publishWhenReady = input.publish ?? true;
  if (!publishWhenReady && releaseAt !== null) {
    throw new AppError('INVALID_INPUT', t`A release date is given, but publish is false.`, {
      field: 'input.releaseDate',
      suggestedFix: t`Omit one of them; publishContent with a releaseDate can schedule it later.`,
    });
  }
  return { publishWhenReady, releaseAt };
}

function channelOfEpisode(): AppError {
  return new AppError('INVALID_INPUT', t`Both channel and parent are given.`, {
    field: 'input.channel',
    suggestedFix: t`Omit channel: an episode is in the channel of its season or miniseries.`,
  });
}

/** Refuses an address that cannot be fetched. The domain below names the field after its own argument. */
export async function checkSource(tools: CatalogServices, url: string): Promise<void> {
  try {
    await tools.checkSourceUrl(url);
  } catch (error) {
    if (!(error instanceof AppError) || error.field !== 'sourceUrl') throw error;
    throw new AppError(error.code, error.text, {
      field: 'input.sourceUrl',
      suggestedFix: error.fix,
      cause: error,
    });
  }
}

async function ownChannel(tx: Transaction, actor: Actor, channelId: string | null): Promise<string> {
  // Everyone is the owner of their own channel; a token may act for another one by default.
  if (channelId === null && !actor.token) return actor.channelId;
  const id = channelId ?? actor.channelId;
  await authorizeChannel(tx, {
    channelId: id,
    viewer: actor.scope,
    permission: 'content:create',
    field: 'input.channel',
  });
  return id;
}

/** Opens the upload of the video of a content, or queues fetching it. */
export async function startSource(
  tools: CatalogServices,
  tx: Transaction,
  actor: Actor,
  video: { contentId: ContentId; channelId: string; hint: VideoHint },
  source: VideoSource,
): Promise<Pick<StartedVideo, 'jobId' | 'upload'>> {
  if (source.kind === 'url') {
    const jobId = await startFetching(tools, tx, { ...video, url: source.url, field: 'input.sourceUrl' });
    return { jobId, upload: null };
  }
  const { contentId, channelId, hint } = video;
  const upload = await openIngestion(tools.ingestion, tx, {
    uploader: actor,
    target: { contentId },
    media: { kind: 'VIDEO', hint },
    filename: source.filename,
    sizeBytes: source.sizeBytes,
    autoProcess: true,
  });
  return { jobId: await openProcessing(tools, tx, { contentId, channelId }), upload };
}
