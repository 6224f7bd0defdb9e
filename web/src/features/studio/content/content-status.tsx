import { t } from '../../../lib/i18n.ts';
import { audienceLine, audienceOf, type Published } from '../audience/audience.ts';

const LOOKS = {
  PRIVATE: 'border-line text-muted',
  UNLISTED: 'border-accent-text/50 text-accent-text',
  SCHEDULED: 'border-accent-text/50 text-accent-text',
  PUBLIC: 'border-sea/50 bg-sea/10 text-sea',
} as const;

/** The badge of a content: that it is processed or failed; otherwise who can watch it. */
export function ContentStatus({ content }: { content: Published }) {
  const nowMs = Date.now();
  const [label, look] =
    content.status === 'FAILED'
      ? [t`Failed`, 'border-danger/50 text-danger']
      : content.status === 'PROCESSING'
        ? [t`Processing`, 'border-sea/50 text-sea']
        : [audienceLine(content, nowMs), LOOKS[audienceOf(content, nowMs)]];
  return <span className={`shrink-0 rounded-full border px-3 py-0.5 text-sm font-medium ${look}`}>{label}</span>;
}
