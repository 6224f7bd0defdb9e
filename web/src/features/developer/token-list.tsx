import { useState } from 'react';
import { type CreateTokenResult, RevokeToken, type TokenRowFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago, calendarDate } from '../../lib/format.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { locale, plural, Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { DeveloperChannel } from './channel-select.tsx';
import { TokenDialog } from './token-dialog.tsx';
import type { TokenPermission } from './token-permissions.ts';

const list = new Intl.ListFormat(locale, { style: 'narrow' });

type Created = CreateTokenResult['createToken'];

interface Properties {
  readonly first: readonly TokenRowFragment[];
  readonly permissions: readonly TokenPermission[];
  readonly memberships: readonly DeveloperChannel[];
  /** Whether the account has developer access. */
  readonly eligible: boolean;
}

/** The scoped tokens of the account, newest first: create one, which is shown once, and revoke. */
export function TokenList({ first, permissions, memberships, eligible }: Properties) {
  const [tokens, setTokens] = useState(first);
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  const [revoking, setRevoking] = useState<TokenRowFragment | null>(null);
  const rows = useRowFocus<HTMLUListElement>();
  const opener = useRestoreFocus(creating);
  const add = (result: Created): void => {
    setTokens((known) => [result.token, ...known]);
    setCreated(result);
    setCreating(false);
  };
  const revoke = async (id: string): Promise<void> => {
    await api(RevokeToken, { id });
    setTokens((known) => known.filter((token) => token.id !== id));
    setCreated((shown) => (shown?.token.id === id ? null : shown));
  };
  return (
    <div className="space-y-4">
      {tokens.length === 0 && (
        <p className="text-muted">
          {eligible ? t`No tokens yet.` : t`You can create tokens once developer access is active.`}
        </p>
      )}
      {created && <NewToken created={created} />}
      <ul {...rows} className="divide-y divide-line empty:hidden">
        {tokens.map((token) => (
          <Row key={token.id} token={token} memberships={memberships} onRevoke={setRevoking} />
        ))}
      </ul>
      {eligible && (
        <Button ref={opener} onClick={() => setCreating(true)}>
          <Icon name="plus" className="size-4" /> {t`Create token`}
        </Button>
      )}
      <TokenDialog
        open={creating}
        permissions={permissions}
        memberships={memberships}
        onCreated={add}
        onClose={() => setCreating(false)}
      />
      <Confirm
        open={revoking !== null}
        title={t`Revoke token?`}
        confirmLabel={t`Revoke`}
        onConfirm={async () => {
          if (revoking) await revoke(revoking.id);
        }}
        onClose={() => setRevoking(null)}
      >
        <p>
          <Trans>
            <strong className="[overflow-wrap:anywhere]">{revoking?.name}</strong> stops working{' '}
            <strong>immediately</strong> in every program that uses it. This cannot be undone.
          </Trans>
        </p>
      </Confirm>
    </div>
  );
}

function NewToken({ created: { value, curlCommand, token } }: { readonly created: Created }) {
  return (
    <div role="status" className="space-y-3 rounded-xl border border-line-strong bg-ink p-4">
      <p>
        <strong>{t`Copy the token “${token.name}” now; it is not shown again.`}</strong>
      </p>
      <Code className="block text-sm break-all">{value}</Code>
      <CopyButton text={value} label={t`Copy token`} />
      <CodeBlock code={curlCommand} label={t`Command`} copy={t`Copy command`} />
    </div>
  );
}

interface RowProperties {
  readonly token: TokenRowFragment;
  readonly memberships: readonly DeveloperChannel[];
  readonly onRevoke: (token: TokenRowFragment) => void;
}

function Row({ token, memberships, onRevoke }: RowProperties) {
  const { name, hint, permissions, createdAt, expiresAt, lastUsedAt } = token;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const facts = [scopeText(token, memberships), t`created ${calendarDate(createdAt)}`, usedText(lastUsedAt)];
  return (
    <li tabIndex={-1} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64 space-y-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-semibold [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </span>
          <Code className="text-sm text-muted">{hint}</Code>
        </p>
        <p className="text-sm [overflow-wrap:anywhere]">{permissions.join(', ')}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {facts.join(' · ')} ·{' '}
          <span className={isExpired ? 'text-danger' : ''}>{expiryText(expiresAt, isExpired)}</span>
        </p>
      </div>
      <Button onClick={() => onRevoke(token)} aria-label={t`Revoke ${name}`}>{t`Revoke`}</Button>
    </li>
  );
}

function usedText(lastUsedAt: string | null): string {
  return lastUsedAt === null ? t`never used` : t`last used ${ago(lastUsedAt, Date.now())}`;
}

function expiryText(expiresAt: string | null, isExpired: boolean): string {
  if (expiresAt === null) return t`does not expire`;
  return isExpired ? t`expired ${calendarDate(expiresAt)}` : t`expires ${calendarDate(expiresAt)}`;
}

function scopeText({ isTest, channels }: TokenRowFragment, memberships: readonly DeveloperChannel[]): string {
  if (isTest) return t`Test mode`;
  if (channels === null) return t`All channels`;
  const names = channelNames(channels, memberships);
  return t`Only ${names}`;
}

/** Titles of channels; those that the account is no longer a member of are counted. */
function channelNames(ids: readonly string[], memberships: readonly DeveloperChannel[]): string {
  const titles = memberships
    .filter(({ channel }) => ids.includes(channel.id))
    .map(({ channel }) => channel.metadata.title);
  const others = ids.length - titles.length;
  const counted = others > 0 ? [plural(others, { one: '# other', other: '# others' })] : [];
  return list.format([...titles, ...counted]);
}
