import { lazy, Suspense, useState } from 'react';
import { type LiveInputPartsFragment, StartBroadcast } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const PreviewPlayer = lazy(async () => ({
  default: (await import('../../player/preview-player.tsx')).PreviewPlayer,
}));

const WIDESCREEN = 16 / 9;

interface Properties {
  readonly input: LiveInputPartsFragment;
  /** Address of what its encoder sends. */
  readonly preview: string;
  /** Reads the input again. */
  readonly onChange: () => Promise<void>;
}

/** What an encoder sends before its channel goes live, and the button for that. */
export function ReadyToStart({ input, preview, onChange }: Properties) {
  const { id, name } = input;
  const action = useAction();
  const start = async (): Promise<void> => {
    await api(StartBroadcast, { id });
    await onChange();
  };
  return (
    <section aria-label={t`Preview`} className="grid items-start gap-5 md:grid-cols-2 lg:gap-6">
      <div className="aspect-video overflow-hidden rounded-xl bg-black">
        <Suspense fallback={null}>
          <Picture key={broadcastOf(preview)} id={id} name={name} address={preview} />
        </Suspense>
      </div>
      <div className="min-w-0 space-y-3">
        <h3 className="text-lg font-semibold">{t`Ready to go live`}</h3>
        <p className="text-muted">{t`Only members of the channel see this. Viewers see it, and it is recorded, from the
          moment you go live.`}</p>
        <Button look="primary" busy={action.busy === 'start'} onClick={() => action.run('start', start)}>
          <Icon name="live" className="size-4" /> {t`Go live`}
        </Button>
        {action.error !== null && <ErrorNotice error={action.error} />}
      </div>
    </section>
  );
}

/** The page polls, and addresses get another signature each hour: the player keeps the first one. */
function Picture({ id, name, address }: { readonly id: string; readonly name: string; readonly address: string }) {
  const [first] = useState(address);
  return <PreviewPlayer contentId={id} address={first} title={name} aspect={WIDESCREEN} />;
}

/** The id of the broadcast in an address: another connection of the encoder has another one. */
function broadcastOf(address: string): string {
  return address.split('/').at(-2) ?? address;
}
