import { useState } from 'react';
import { RotateWebhookSecret, type WebhookPartsFragment, WebhookSecret } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { localInstant } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Properties {
  readonly webhook: WebhookPartsFragment;
  /** The secret of a webhook that was just created. */
  readonly fresh: string | null;
  readonly onChange: (webhook: WebhookPartsFragment) => void;
}

/** The signing secret, which is in the page only while it is shown. */
export function WebhookSecretPart({ webhook, fresh, onChange }: Properties) {
  const { id, formerSecretUntil } = webhook;
  const [secret, setSecret] = useState(fresh);
  const [rotating, setRotating] = useState(false);
  const action = useAction();
  const reveal = async (): Promise<void> => {
    const { node } = await api(WebhookSecret, { id });
    setSecret(node?.secret ?? null);
  };
  const rotate = async (): Promise<void> => {
    const { secret: rotated, ...changed } = (await api(RotateWebhookSecret, { id })).rotateWebhookSecret.webhook;
    setSecret(rotated);
    onChange(changed);
  };
  return (
    <section aria-label={t`Secret`} className="space-y-2">
      <h3 className="text-sm font-semibold">{t`Signing secret`}</h3>
      {secret && (
        <Code
          as="output"
          aria-label={t`Signing secret`}
          className="block rounded-lg border border-line bg-ink px-4 py-2.5 font-mono text-sm break-all"
        >
          {secret}
        </Code>
      )}
      <p role="status" className="text-sm text-muted empty:hidden">
        {formerSecretUntil !== null &&
          t`The previous secret is valid until ${localInstant(formerSecretUntil)}. Until then, requests carry both
            signatures.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {secret && <CopyButton text={secret} label={t`Copy secret`} />}
        <Button
          busy={action.busy === 'reveal'}
          onClick={() => (secret ? setSecret(null) : action.run('reveal', reveal))}
        >
          {secret ? (
            t`Hide`
          ) : (
            <>
              <Icon name="eye" /> {t`Reveal secret`}
            </>
          )}
        </Button>
        <Button look="quiet" onClick={() => setRotating(true)}>
          <Icon name="replay" className="size-4" /> {t`Rotate secret`}
        </Button>
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <Confirm
        open={rotating}
        title={t`Rotate signing secret?`}
        confirmLabel={t`Rotate secret`}
        look="primary"
        onConfirm={rotate}
        onClose={() => setRotating(false)}
      >
        <p>{t`For 24 hours, requests carry the signatures of both secrets. Update your application within this
          time.`}</p>
        {formerSecretUntil !== null && <p>{t`The secret that you replaced earlier stops working immediately.`}</p>}
      </Confirm>
    </section>
  );
}
