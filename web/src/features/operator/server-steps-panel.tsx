import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ServerSteps } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { operationQuery } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StepList } from '../../ui/step-list.tsx';
import { serverSteps } from './server-steps.ts';

/** In this browser, the list is not shown again. */
const KEY = 'server-steps';

function isDismissed(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function dismiss(): void {
  try {
    localStorage.setItem(KEY, 'dismissed');
  } catch {
    // no storage: it is shown again
  }
}

/** What an operator does first on a new server, until all is done or the list is dismissed. */
export function ServerStepsPanel() {
  const [isHidden, setHidden] = useState(isDismissed);
  const { data } = useQuery({ ...operationQuery(ServerSteps), enabled: !isHidden });
  const steps = data ? serverSteps(data) : [];
  const [done, total] = [steps.filter(({ isDone }) => isDone).length, steps.length];
  const isComplete = total > 0 && done === total;
  useEffect(() => {
    if (isComplete) dismiss();
  }, [isComplete]);
  if (isHidden || done === total) return null;
  const hide = (): void => {
    dismiss();
    setHidden(true);
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <div className="mb-10">
      <Panel title={t`Set up your server`} hint={t`${count(done)} of ${count(total)} done`}>
        <StepList steps={steps} />
        <Button onClick={hide}>{t`Don’t show again`}</Button>
      </Panel>
    </div>
  );
}
