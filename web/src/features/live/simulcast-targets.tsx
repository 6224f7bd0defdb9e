import { useId, useState } from 'react';
import {
  DeleteSimulcastTarget,
  type LiveInputPartsFragment,
  type SimulcastTargetPartsFragment,
  UpdateSimulcastTarget,
} from '../../gql/generated/operations.gen.ts';
import type { SimulcastState } from '../../gql/generated/types.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { EditSimulcastTarget, NewSimulcastTarget } from './simulcast-target-form.tsx';

interface Properties {
  readonly input: LiveInputPartsFragment;
  /** Reads the live inputs again. */
  readonly onChange: () => Promise<void>;
}

/** Other services at which the broadcasts of a live input are published, and how that goes. */
export function SimulcastTargets({ input, onChange }: Properties) {
  const [adding, setAdding] = useState(false);
  const heading = useId();
  const rows = useRowFocus<HTMLUListElement>();
  const opener = useRestoreFocus(adding);
  const targets = input.simulcastTargets.edges.map(({ node }) => node);
  const added = async (): Promise<void> => {
    await onChange();
    setAdding(false);
  };
  return (
    <section aria-labelledby={heading} className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={heading} className="text-sm font-semibold">
          {t`Simulcast`}
        </h3>
        <Button ref={opener} look="quiet" onClick={() => setAdding(true)}>
          <Icon name="plus" className="size-4" /> {t`Add target`}
        </Button>
      </div>
      {targets.length === 0 && (
        <p className="text-sm text-muted">
          {t`Broadcasts can be published at other services, too, such as YouTube or Twitch.`}
        </p>
      )}
      <ul {...rows} className="divide-y divide-line empty:hidden">
        {targets.map((target) => (
          <Target key={target.id} target={target} onChange={onChange} />
        ))}
      </ul>
      <Dialog open={adding} title={t`New simulcast target`} onClose={() => setAdding(false)}>
        <NewSimulcastTarget liveInput={input.id} onSaved={added} onCancel={() => setAdding(false)} />
      </Dialog>
    </section>
  );
}

interface TargetProperties {
  readonly target: SimulcastTargetPartsFragment;
  readonly onChange: () => Promise<void>;
}

function Target({ target, onChange }: TargetProperties) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const action = useAction();
  const { id, name, url, isEnabled } = target;
  const close = (): void => setOpen(null);
  const toggle = async (): Promise<void> => {
    await api(UpdateSimulcastTarget, { id, input: { isEnabled: !isEnabled } });
    await onChange();
  };
  const saved = async (): Promise<void> => {
    await onChange();
    close();
  };
  const remove = async (): Promise<void> => {
    await api(DeleteSimulcastTarget, { id });
    await onChange();
  };
  return (
    <li aria-label={name} className="space-y-2 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 space-y-0.5">
          <h4 className="font-medium [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </h4>
          <p className="text-sm break-all text-muted">
            <Code as="bdi">{url}</Code>
          </p>
          <State target={target} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            aria-label={isEnabled ? t`Disable ${name}` : t`Enable ${name}`}
            busy={action.busy === 'toggle'}
            onClick={() => action.run('toggle', toggle)}
          >
            {isEnabled ? t`Disable` : t`Enable`}
          </Button>
          <Button aria-label={t`Edit ${name}`} onClick={() => setOpen('edit')}>{t`Edit`}</Button>
          <Button look="quiet" aria-label={t`Delete ${name}`} onClick={() => setOpen('delete')}>
            <Icon name="trash" className="size-4" /> {t`Delete`}
          </Button>
        </div>
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <Dialog open={open === 'edit'} title={t`Edit simulcast target`} onClose={close}>
        <EditSimulcastTarget target={target} onSaved={saved} onCancel={close} />
      </Dialog>
      <Confirm
        open={open === 'delete'}
        title={t`Delete simulcast target?`}
        confirmLabel={t`Delete`}
        onConfirm={remove}
        onClose={close}
      >
        <p>
          <Trans>
            Broadcasts are no longer published at <strong>{name}</strong>. What is published there now ends.
          </Trans>
        </p>
      </Confirm>
    </li>
  );
}

const OFF = { text: t`Off`, dot: 'bg-line-strong' } as const;

const STATES: Readonly<Record<SimulcastState, { readonly text: string; readonly dot: string }>> = {
  IDLE: { text: t`Ready for the next broadcast`, dot: 'bg-line-strong' },
  CONNECTING: { text: t`Connecting`, dot: 'bg-accent' },
  LIVE: { text: t`Published`, dot: 'bg-sea' },
  RETRYING: { text: t`Not published, will be retried`, dot: 'bg-danger' },
};

/** How it goes, in words that are announced when they change. */
function State({ target: { state, isEnabled, error } }: Pick<TargetProperties, 'target'>) {
  const { text, dot } = isEnabled ? STATES[state] : OFF;
  return (
    <>
      <p role="status" className="flex items-center gap-2 text-sm">
        <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${dot}`} />
        {text}
      </p>
      {isEnabled && error !== null && (
        <p dir="auto" className="text-sm text-danger [overflow-wrap:anywhere]">
          {error}
        </p>
      )}
    </>
  );
}
