import { byteSize, timeLeft } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { isBeingProcessed, isWatchable } from './job-state.ts';
import { remainingSeconds } from './transfer-rate.ts';
import { isUnfinished, type UploadItem } from './upload-item.ts';

/** The state of an upload in a line. */
export function uploadText(item: UploadItem): string {
  const { phase, sentBytes, totalBytes, filename } = item;
  const [sent, total] = [byteSize(sentBytes), byteSize(totalBytes)];
  switch (phase) {
    case 'creating':
      return t`Preparing`;
    case 'queued':
      return t`Waiting for other uploads`;
    case 'sending':
      return [t`${sent} of ${total}`, ...speedText(item)].join(' · ');
    case 'paused':
      return t`Paused at ${sent} of ${total}`;
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
  if (bytesPerSecond === null || seconds === null) return [];
  const size = byteSize(bytesPerSecond);
  return [t`${size}/s`, timeLeft(seconds)];
}

function sentText({ content }: UploadItem): string {
  if (!content || content.status === 'DRAFT') return t`Uploaded. Processing starts soon.`;
  if (content.status === 'FAILED') return content.transcodeJob?.error ?? t`The video could not be processed.`;
  if (!isWatchable(content)) {
    const remainingMs = content.transcodeJob?.remainingMs ?? null;
    if (remainingMs === null) return t`Processing`;
    const remaining = timeLeft(remainingMs / 1_000);
    return t`Processing, ${remaining}`;
  }
  if (isBeingProcessed(content)) return t`Playable. More qualities follow.`;
  return t`Ready`;
}

/** What a screen reader hears when the state of an upload changes; null for changes that need no word. */
export function announcement(before: UploadItem | null, item: UploadItem): string | null {
  const { title, phase, content } = item;
  if (before?.phase !== phase) {
    if (phase === 'sent') return t`${title} is uploaded.`;
    if (phase === 'failed') return t`The upload of ${title} failed.`;
    if (phase === 'offline' || phase === 'lost' || phase === 'file-changed') {
      const state = uploadText(item);
      return t`${title}: ${state}`;
    }
  }
  if (phase !== 'sent' || !content || before?.content?.status === content.status) return null;
  if (isWatchable(content) && !(before?.content && isWatchable(before.content))) return t`${title} is playable.`;
  return content.status === 'FAILED' ? t`${title} could not be processed.` : null;
}

/** Whether it was not uploaded, or its file could not be processed. */
export function hasFailed({ phase, content }: Pick<UploadItem, 'phase' | 'content'>): boolean {
  return phase === 'failed' || (phase === 'sent' && content?.status === 'FAILED');
}

/** The heading of the dock: how many are left, and for how long. */
export function dockTitle(items: readonly UploadItem[]): string {
  const total = items.length;
  const left = items.filter(isUnfinished);
  if (left.length === 0) {
    const failed = items.filter(hasFailed).length;
    if (failed === 0) return plural(total, { other: '# uploaded' });
    return t`${count(failed)} of ${plural(total, { one: '# upload', other: '# uploads' })} failed`;
  }
  if (left.every(({ phase }) => phase === 'paused')) return t`Paused`;
  const speed = left.reduce((sum, { bytesPerSecond }) => sum + (bytesPerSecond ?? 0), 0);
  const bytes = left.reduce((sum, { totalBytes, sentBytes }) => sum + totalBytes - sentBytes, 0);
  const seconds = remainingSeconds(bytes, speed || null);
  const unfinished = count(left.length);
  if (seconds === null) return total === 1 ? t`Uploading` : t`Uploading ${unfinished} of ${count(total)}`;
  const remaining = timeLeft(seconds);
  return total === 1 ? t`Uploading, ${remaining}` : t`Uploading ${unfinished} of ${count(total)}, ${remaining}`;
}
