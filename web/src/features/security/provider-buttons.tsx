import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { signInAt, signInProviders } from './sign-in-providers.ts';

interface Properties {
  readonly next: string | undefined;
  readonly invitation?: string;
}

/** A button for each provider with which people sign in. */
export function ProviderButtons({ next, invitation }: Properties) {
  const action = useAction();
  const providers = signInProviders();
  if (providers.length === 0) return null;
  return (
    <div className="space-y-3">
      {action.error !== null && <ErrorNotice error={action.error} />}
      {providers.map(({ name, label }) => (
        <Button
          key={name}
          busy={action.busy === name}
          disabled={action.busy !== null}
          className="w-full"
          onClick={() => action.run(name, () => signInAt(name, { next, invitation }))}
        >
          {t`Continue with ${label}`}
        </Button>
      ))}
    </div>
  );
}
