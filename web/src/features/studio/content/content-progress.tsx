import { Link } from '@tanstack/react-router';
import { contentTail } from '../../../lib/did.ts';
import { t } from '../../../lib/i18n.ts';
import { Progress } from '../../../ui/progress.tsx';
import { InterruptedUpload } from './interrupted-upload.tsx';
import { type ProgressFacts, progressOf } from './progress-of.ts';

/** Progress or error of upload and processing; nothing for finished contents. */
export function ContentProgress(facts: ProgressFacts) {
  const progress = progressOf(facts);
  switch (progress?.kind) {
    case undefined:
      return null;
    case 'running':
      return <Progress label={progress.label} percent={progress.percent} />;
    case 'failed':
      return (
        <div className="space-y-2 rounded-lg bg-raised p-3 text-sm">
          <p>{progress.text}</p>
          {progress.canReplace && (
            <Link
              to="/studio/content/$"
              params={{ _splat: contentTail(facts.content.id) }}
              search={{ tab: 'video' }}
              className="inline-block font-semibold text-accent-text underline"
            >
              {t`Upload another file`}
            </Link>
          )}
        </div>
      );
    case 'interrupted':
      return <InterruptedUpload content={facts.content} {...progress} />;
  }
}
