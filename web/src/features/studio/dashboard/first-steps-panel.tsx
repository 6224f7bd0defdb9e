import { t } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';
import { Panel } from '../../../ui/panel.tsx';
import { StepList } from '../../../ui/step-list.tsx';
import { type ChannelStart, firstSteps } from './first-steps.ts';

/** What to do first on a new channel; nothing once all is done. */
export function FirstStepsPanel({ start }: { start: ChannelStart }) {
  const steps = firstSteps(start);
  const [done, total] = [steps.filter(({ isDone }) => isDone).length, steps.length];
  if (done === total) return null;
  return (
    <Panel title={t`Set up your channel`} hint={t`${count(done)} of ${count(total)} done`}>
      <StepList steps={steps} />
    </Panel>
  );
}
