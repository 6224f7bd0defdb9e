import { useState } from 'react';
import { DeleteShareLink, type ShareLinkPartsFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { localInstant } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { NewLink } from './new-link.tsx';

interface Properties {
  readonly contentId: string;
  readonly links: readonly ShareLinkPartsFragment[];
  readonly onChange: () => void;
}

/** The links to a private video: create, with the address shown once, and revoke. */
export function LinkList({ contentId, links, onChange }: Properties) {
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ readonly id: string; readonly url: string } | null>(null);
  const action = useAction();
  const rows = useRowFocus<HTMLUListElement>();
  const revoke = (id: string): void =>
    action.run(id, async () => {
      await api(DeleteShareLink, { id });
      if (created?.id === id) setCreated(null);
      onChange();
    });
  return (
    <section aria-label={t`Links`} className="space-y-3">
      <h3 className="font-semibold">{t`Links`}</h3>
      {created && <NewAddress url={created.url} />}
      {action.error !== null && <ErrorNotice error={action.error} />}
      <ul {...rows} aria-label={t`Links with access`} className="divide-y divide-line empty:hidden">
        {links.map((link) => (
          <li key={link.id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0">
              <bdi className="block truncate font-semibold">{nameOf(link)}</bdi>
              <span className="block text-sm text-muted">{factsOf(link).join(' · ')}</span>
            </span>
            <Button
              look="quiet"
              className="shrink-0"
              busy={action.busy === link.id}
              aria-label={t`Revoke ${nameOf(link)}`}
              onClick={() => revoke(link.id)}
            >
              {t`Revoke`}
            </Button>
          </li>
        ))}
      </ul>
      {adding ? (
        <NewLink
          contentId={contentId}
          onCreated={(link) => {
            setCreated(link);
            setAdding(false);
            onChange();
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <Button onClick={() => setAdding(true)}>{t`Create link`}</Button>
      )}
    </section>
  );
}

const nameOf = ({ name }: ShareLinkPartsFragment): string => name || t`Link without a name`;

/** How often it was opened, and its limits. */
function factsOf({ usesCount, maxUses, hasPassword, expiresAt, isUsable }: ShareLinkPartsFragment): string[] {
  return [
    maxUses === null
      ? plural(usesCount, { one: 'opened # time', other: 'opened # times' })
      : t`opened ${usesCount} of ${maxUses} times`,
    ...(hasPassword ? [t`with a password`] : []),
    ...(expiresAt === null ? [] : [t`until ${localInstant(expiresAt)}`]),
    ...(isUsable ? [] : [t`no longer opens`]),
  ];
}

function NewAddress({ url }: { url: string }) {
  return (
    <div className="space-y-2">
      <p role="status">{t`This is the link. Copy it now: it is not shown again.`}</p>
      <Code
        as="output"
        aria-label={t`New link`}
        className="block rounded-lg border border-line bg-ink px-3 py-2 font-mono text-sm [overflow-wrap:anywhere]"
      >
        {url}
      </Code>
      <CopyButton text={url} label={t`Copy link`} />
    </div>
  );
}
