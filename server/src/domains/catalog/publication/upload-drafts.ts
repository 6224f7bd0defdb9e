import { readNew } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import { replaceInText } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { authorizeChannel } from '../../channels/index.ts';
import type { UploadDrafts } from '../../ingest/index.ts';
import { VIDEO_FIELDS } from '../contents/content-fields.ts';
import { insertContent } from '../contents/contents.store.ts';
import { discardDraft } from './upload-drafts.store.ts';

/** The drafts of uploads that name no content; used by every API that opens uploads. */
export function uploadDrafts(clock: Clock): UploadDrafts {
  return {
    async create(tx, { viewer, channelId, kind, title, fields }) {
      const values = titled(title, kind === 'SHORT' ? 'PORTRAIT' : 'LANDSCAPE', fields.title);
      await authorizeChannel(tx, { channelId, viewer, permission: 'content:create', field: fields.channel });
      const nowMs = clock.now();
      const id: ContentId = newId<'content'>(nowMs);
      await insertContent(
        tx,
        { id, channel: channelId, kind, values, releaseAt: null, publishWhenReady: false },
        nowMs,
      );
      await appendEvent(tx, { type: 'content.created', channelId, subjectId: id });
      return id;
    },
    async discard(tx, id) {
      const channelId = await discardDraft(tx, id, clock.now());
      if (channelId !== null) await appendEvent(tx, { type: 'content.deleted', channelId, subjectId: id });
    },
  };
}

/** The fields of a content with this title, which errors name as the caller sent it. */
function titled(title: string, layout: 'PORTRAIT' | 'LANDSCAPE', field: string) {
  try {
    return readNew(VIDEO_FIELDS, { title, layout });
  } catch (error) {
    if (!(error instanceof AppError) || error.field !== 'input.title') throw error;
    const { code, text, fix } = error;
    throw new AppError(code, replaceInText(text, 'input.title', field), { field, suggestedFix: fix, cause: error });
  }
}
