import { z } from 'zod';
import { t } from '../../../kernel/languages/message.ts';
import type { SiteProcessing } from './site-uploads.ts';

/** The processing fields of a video resource ("Videos: status, processingDetails" in the API reference). */
export const siteVideoState = z.object({
  status: z.object({
    uploadStatus: z.string(),
    failureReason: z.string().optional(),
    rejectionReason: z.string().optional(),
  }),
  processingDetails: z
    .object({
      processingStatus: z.string().optional(),
      processingProgress: z
        .object({ partsTotal: z.coerce.number().optional(), partsProcessed: z.coerce.number().optional() })
        .optional(),
    })
    .optional(),
});
export type SiteVideoState = z.infer<typeof siteVideoState>;

const FAILURES: Readonly<Record<string, string>> = {
  codec: t`YouTube cannot read the codec of this video.`,
  conversion: t`YouTube could not convert the video.`,
  emptyFile: t`YouTube found the file to be empty.`,
  invalidFile: t`YouTube does not know this kind of file.`,
  tooSmall: t`The file is too small for YouTube.`,
  uploadAborted: t`YouTube broke the upload off.`,
};
const REJECTIONS: Readonly<Record<string, string>> = {
  claim: t`YouTube rejected the video because someone claims rights to it.`,
  copyright: t`YouTube rejected the video for a violation of copyright.`,
  duplicate: t`YouTube rejected the video because the channel has the same one already.`,
  inappropriate: t`YouTube rejected the video because it finds it inappropriate.`,
  legal: t`YouTube rejected the video for legal reasons.`,
  length: t`YouTube rejected the video because it is longer than this YouTube account may upload.`,
  termsOfUse: t`YouTube rejected the video for a violation of its terms of use.`,
  trademark: t`YouTube rejected the video for a violation of a trademark.`,
  uploaderAccountClosed: t`YouTube rejected the video because the YouTube account is closed.`,
  uploaderAccountSuspended: t`YouTube rejected the video because the YouTube account is suspended.`,
};

/** The processing state of a video; null means that it does not exist. */
export function siteProcessingOf(video: SiteVideoState | null): SiteProcessing {
  if (!video) return { kind: 'gone' };
  const { uploadStatus, failureReason = '', rejectionReason = '' } = video.status;
  if (uploadStatus === 'processed') return { kind: 'processed' };
  if (uploadStatus === 'deleted') return { kind: 'gone' };
  if (uploadStatus === 'failed')
    return { kind: 'failed', reason: FAILURES[failureReason] ?? t`YouTube could not process the video.` };
  if (uploadStatus === 'rejected')
    return { kind: 'failed', reason: REJECTIONS[rejectionReason] ?? t`YouTube rejected the video.` };
  const { partsTotal = 0, partsProcessed = 0 } = video.processingDetails?.processingProgress ?? {};
  return {
    kind: 'processing',
    percent: partsTotal > 0 ? Math.min(100, Math.floor((100 * partsProcessed) / partsTotal)) : null,
  };
}
