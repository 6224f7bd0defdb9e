import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { type ChannelStart, firstSteps } from './first-steps.ts';

/** What to do first on a new channel; nothing once all is done. */
export function FirstStepsPanel({ start }: { start: ChannelStart }) {
  const steps = firstSteps(start);
  const [done, total] = [steps.filter(({ isDone }) => isDone).length, steps.length];
  const next = steps.find(({ isDone }) => !isDone);
  if (!next) return null;
  return (
    <Panel title={t`Set up your channel`} hint={t`${count(done)} of ${count(total)} done`}>
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
    </Panel>
  );
}
