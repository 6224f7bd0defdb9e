import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';

const STATUS = {
  DRAFT: [t`Draft`, 'border-line text-muted'],
  PROCESSING: [t`Processing`, 'border-sea/50 text-sea'],
  READY: [t`Ready`, 'border-accent-text/50 text-accent-text'],
  FAILED: [t`Failed`, 'border-danger/50 text-danger'],
  PUBLISHED: [t`Published`, 'border-sea/50 bg-sea/10 text-sea'],
} as const;

/** The status badge of a content. */
export function ContentStatus({ status }: Pick<StudioContentFragment, 'status'>) {
  const [label, look] = STATUS[status];
  return <span className={`shrink-0 rounded-full border px-3 py-0.5 text-sm font-medium ${look}`}>{label}</span>;
}
