import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { authorize } from '../../../kernel/policy.ts';
import { CONTENT_CHANGE, lockContent } from '../../catalog/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { broadcastOfStream } from '../broadcasts/broadcasts.store.ts';
import { completeRecording } from './complete-recording.ts';
import { endBroadcast } from './end-broadcast.ts';

/** Ends the broadcast of a stream on request; returns the id of the stream. */
export async function endStream(context: CommandContext, { id: did }: { readonly id: string }): Promise<string> {
  const tools = context.services.live;
  const viewer = requireAccount(context);
  const { id } = context.parseDid(did, ['stream'], 'id');
  const target = { id: id as ContentId, kind: 'STREAM' as const }; // of a content
  const broadcast = await tools.db.transaction(async (tx) => {
    authorize(CONTENT_CHANGE, await lockContent(tx, target, viewer.scope), 'id');
    return broadcastOfStream(tx, id, new Date(tools.clock.now()).toISOString());
  });
  if (!broadcast?.isOpen) throw notLive();
  await endBroadcast(tools, broadcast.id, { reason: 'REQUESTED', connectionId: null });
  // No process receives it, so none completes it.
  if (!broadcast.hasEncoder) await completeRecording(tools, broadcast.id);
  return id;
}

function notLive(): AppError {
  return new AppError('INVALID_INPUT', t`This stream is not live.`, {
    field: 'id',
    suggestedFix: t`Read Stream.broadcast.state: only a broadcast that is LIVE or RECONNECTING can be ended.`,
  });
}
