import { useState } from 'react';
import {
  type DeveloperSettingsPartsFragment,
  GenerateApiKey,
  RegenerateApiKey,
  RevealApiKey,
  type RevealApiKeyResult,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago, calendarDate } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

type KeyReveal = RevealApiKeyResult['revealApiKey'];
type Key = NonNullable<DeveloperSettingsPartsFragment['apiKey']>;

interface Properties {
  readonly apiKey: Key | null;
  readonly onKey: (key: Key) => void;
}

/** The API key: generate, reveal, copy, regenerate. The key is in the page only while it is shown. */
export function ApiKeyPanel({ apiKey, onKey }: Properties) {
  const [shown, setShown] = useState<KeyReveal | null>(null);
  const [replacing, setReplacing] = useState(false);
  const action = useAction();
  const show = (reveal: KeyReveal): void => {
    setShown(reveal);
    onKey(reveal.apiKey);
  };
  const generate = async (): Promise<void> => show((await api(GenerateApiKey)).generateApiKey);
  const reveal = async (): Promise<void> => show((await api(RevealApiKey)).revealApiKey);
  const regenerate = async (): Promise<void> => {
    show((await api(RegenerateApiKey)).regenerateApiKey);
    setReplacing(false);
  };
  const errorNotice = action.error !== null && <ErrorNotice error={action.error} />;
  if (!apiKey) {
    return (
      <div className="space-y-4">
        <p className="text-muted">{t`Use one key for GraphQL, agents and uploads. You do not have a key yet.`}</p>
        {errorNotice}
        <Button look="primary" busy={action.busy === 'generate'} onClick={() => action.run('generate', generate)}>
          <Icon name="key" /> {t`Generate API key`}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <Code
        as="output"
        aria-label={t`API key`}
        className="rounded-lg border border-line bg-ink px-4 py-2.5 font-mono text-sm break-all"
      >
        {shown ? shown.key : apiKey.hint}
      </Code>
      <div className="flex flex-wrap items-center gap-3">
        {shown && <CopyButton text={shown.key} label={t`Copy key`} />}
        <Button busy={action.busy === 'reveal'} onClick={() => (shown ? setShown(null) : action.run('reveal', reveal))}>
          {shown ? (
            t`Hide`
          ) : (
            <>
              <Icon name="eye" /> {t`Reveal`}
            </>
          )}
        </Button>
        <Button onClick={() => setReplacing(true)}>
          <Icon name="replay" /> {t`Regenerate`}
        </Button>
      </div>
      <p className="text-sm text-muted">
        {usageOf(apiKey)} {t`Keep it secret: do not commit it or use it in a web page.`}
      </p>
      {!replacing && errorNotice}
      {shown && (
        <div className="space-y-2">
          <h3 className="font-semibold">{t`Try it`}</h3>
          <CodeBlock code={shown.curlCommand} label={t`Command`} copy={t`Copy command`} />
        </div>
      )}
      <Dialog open={replacing} title={t`Regenerate the API key?`} onClose={() => setReplacing(false)}>
        <p>
          <Trans>
            The current key stops working <strong>immediately</strong>. Update every application that uses it with the
            new key.
          </Trans>
        </p>
        {errorNotice}
        <DialogButtons>
          <Button onClick={() => setReplacing(false)}>{t`Cancel`}</Button>
          <Button
            look="danger"
            busy={action.busy === 'regenerate'}
            onClick={() => action.run('regenerate', regenerate)}
          >{t`Regenerate`}</Button>
        </DialogButtons>
      </Dialog>
    </div>
  );
}

function usageOf({ createdAt, lastUsedAt }: Key): string {
  const created = calendarDate(createdAt);
  return lastUsedAt
    ? t`Created on ${created} · last used ${ago(lastUsedAt, Date.now())}.`
    : t`Created on ${created} · never used.`;
}
