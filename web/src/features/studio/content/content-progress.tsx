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
      return <p className="rounded-lg bg-raised p-3 text-sm">{progress.text}</p>;
    case 'interrupted':
      return <InterruptedUpload content={facts.content} {...progress} />;
  }
}
