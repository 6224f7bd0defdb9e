import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LiveInputs as Inputs } from '../../gql/generated/operations.gen.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { LiveInputCard } from './live-input-card.tsx';
import { NewLiveInput } from './live-input-form.tsx';

/** While the page is visible. */
const POLL_MS = 2_000;

/** The live inputs of a channel, kept current. */
export function LiveInputs({ channel }: { readonly channel: string }) {
  const { data, error, refetch } = useQuery({
    ...operationQuery(Inputs, { channel }),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: true,
  });
  const [creating, setCreating] = useState(false);
  const rows = useRowFocus<HTMLUListElement>();
  const opener = useRestoreFocus(creating);
  const inputs = data?.liveInputs.edges.map(({ node }) => node) ?? [];
  const reload = async (): Promise<void> => {
    await refetch();
  };
  const created = async (): Promise<void> => {
    await reload();
    setCreating(false);
  };
  const create = (
    <Button ref={opener} look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" className="size-4" /> {t`New live input`}
    </Button>
  );
  return (
    <section aria-label={t`Live inputs`} className="space-y-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-3xl font-bold">{t`Live`}</h1>
        {inputs.length > 0 && create}
      </div>
      {error !== null && <ErrorNotice error={error} />}
      {data && inputs.length === 0 && (
        <Empty title={t`No live inputs yet`} action={create}>
          {t`A live input is where your encoder sends its picture and sound: OBS Studio, ffmpeg, or an app on a phone.
            Each broadcast becomes a stream of your channel.`}
        </Empty>
      )}
      <ul {...rows} className="space-y-4 empty:hidden">
        {inputs.map((input) => (
          <LiveInputCard key={input.id} input={input} onChange={reload} />
        ))}
      </ul>
      <Dialog open={creating} title={t`New live input`} onClose={() => setCreating(false)}>
        <NewLiveInput channel={channel} onSaved={created} onCancel={() => setCreating(false)} />
      </Dialog>
    </section>
  );
}
