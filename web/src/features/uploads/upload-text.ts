import { byteSize, timeLeft } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { isBeingProcessed, isWatchable } from '../studio/content/job-state.ts';
import { remainingSeconds } from './transfer-rate.ts';
import { isUnfinished, type UploadItem } from './upload-item.ts';

/** The state of an upload in a line. */
export function uploadText(item: UploadItem): string {
  const { phase, sentBytes, totalBytes, filename } = item;
  const sent = t`${byteSize(sentBytes)} of ${byteSize(totalBytes)}`;
  switch (phase) {
    case 'creating':
      return t`Preparing`;
    case 'queued':
      return t`Waiting for other uploads`;
    case 'sending':
      return [sent, ...speedText(item)].join(' · ');
    case 'paused':
      return t`Paused at ${sent}`;
    case 'offline':
      return t`No network. It continues by itself when the network returns.`;
    case 'lost':
      return t`The server cannot be reached. Trying again…`;
    case 'file-needed':
      return t`Select ${filename} again to continue.`;
    case 'file-changed':
      return t`${filename} was changed, moved or deleted on this device. Select it again to continue.`;
    case 'consent-needed':
      return t`The browser needs your consent to read ${filename} again.`;
    case 'failed':
      return t`Failed`;
    case 'sent':
      return sentText(item);
  }
}

function speedText({ bytesPerSecond, sentBytes, totalBytes }: UploadItem): readonly string[] {
  const seconds = remainingSeconds(totalBytes - sentBytes, bytesPerSecond);
  return bytesPerSecond === null || seconds === null ? [] : [`${byteSize(bytesPerSecond)}/s`, timeLeft(seconds)];
}

function sentText({ content }: UploadItem): string {
  if (!content || content.status === 'DRAFT') return t`Uploaded. Processing starts soon.`;
  if (content.status === 'FAILED') return content.transcodeJob?.error ?? t`The video could not be processed.`;
  if (!isWatchable(content)) {
    const seconds = content.transcodeJob?.remainingSeconds ?? null;
    return seconds === null ? t`Processing` : t`Processing, ${timeLeft(seconds)}`;
  }
  if (isBeingProcessed(content)) return t`Playable. More qualities follow.`;
  return content.status === 'PUBLISHED' ? t`Published` : t`Ready`;
}

/** What a screen reader hears when the state of an upload changes; null for changes that need no word. */
export function announcement(before: UploadItem | null, item: UploadItem): string | null {
  const { title, phase, content } = item;
  if (before?.phase !== phase) {
    if (phase === 'sent') return t`${title} is uploaded.`;
    if (phase === 'failed') return t`The upload of ${title} failed.`;
    if (phase === 'offline' || phase === 'lost' || phase === 'file-changed') return `${title}: ${uploadText(item)}`;
  }
  if (phase !== 'sent' || !content || before?.content?.status === content.status) return null;
  if (isWatchable(content) && !(before?.content && isWatchable(before.content))) return t`${title} is playable.`;
  return content.status === 'FAILED' ? t`${title} could not be processed.` : null;
}

/** The heading of the dock: how many are left, and for how long. */
export function dockTitle(items: readonly UploadItem[]): string {
  const left = items.filter(isUnfinished);
  if (left.length === 0) {
    const failed = items.filter(({ phase }) => phase === 'failed').length;
    return failed > 0 ? t`${failed} of ${items.length} uploads failed` : t`${items.length} uploaded`;
  }
  const speed = left.reduce((sum, { bytesPerSecond }) => sum + (bytesPerSecond ?? 0), 0);
  const bytes = left.reduce((sum, { totalBytes, sentBytes }) => sum + totalBytes - sentBytes, 0);
  const seconds = remainingSeconds(bytes, speed || null);
  const count = items.length === 1 ? t`Uploading` : t`Uploading ${left.length} of ${items.length}`;
  return seconds === null ? count : `${count}, ${timeLeft(seconds)}`;
}
