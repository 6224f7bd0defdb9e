import { Link, type LinkProps } from '@tanstack/react-router';
import { t } from '../lib/i18n.ts';
import { Icon } from './icons.tsx';

export interface Step {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly action: string;
  readonly isDone: boolean;
}

/** Things to do in order, which of them are done, and the page of the next one. */
export function StepList({ steps }: { readonly steps: readonly Step[] }) {
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <ol className="space-y-4">
      {steps.map((step) => (
        <li key={step.id} className="flex gap-3">
          <span
            className={`mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full ${
              step.isDone ? 'bg-sea/15 text-sea' : 'bg-raised text-muted'
            }`}
          >
            {step.isDone && <Icon name="check" className="size-4" />}
          </span>
          <div className="min-w-0">
            <p className={`font-medium ${step.isDone ? 'text-muted' : ''}`}>
              {step.title}
              {step.isDone && <span className="sr-only">{` ${t`(done)`}`}</span>}
            </p>
            {!step.isDone && <p className="text-muted">{step.text}</p>}
            {step === next && (
              <Link to={step.to} className="font-medium text-accent-text underline underline-offset-3">
                {step.action}
              </Link>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
