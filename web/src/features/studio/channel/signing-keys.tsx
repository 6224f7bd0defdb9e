import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CreateSigningKey,
  type CreateSigningKeyResult,
  DeleteSigningKey,
  type SigningAlgorithm,
  type SigningKeyPartsFragment,
  SigningKeys,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { calendarDate, localInstant } from '../../../lib/format.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { useRowFocus } from '../../../lib/hooks/use-row-focus.ts';
import { Trans, t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

const ALGORITHMS = [
  ['EDDSA', t`EdDSA (Ed25519)`],
  ['RS256', t`RS256 (RSA)`],
] as const satisfies readonly (readonly [SigningAlgorithm, string])[];

type Created = CreateSigningKeyResult['createSigningKey'];

/** The signing keys of a channel: create, with the private key shown once, and delete. */
export function SigningKeysPanel({ channelId }: { channelId: string }) {
  const { data, error, refetch } = useQuery({ ...operationQuery(SigningKeys, { channel: channelId }), gcTime: 0 });
  const [created, setCreated] = useState<Created | null>(null);
  const rows = useRowFocus<HTMLUListElement>();
  const show = (result: Created): void => {
    setCreated(result);
    void refetch();
  };
  return (
    <Panel
      title={t`Signing keys`}
      hint={
        <Trans>
          Your own site can sign tokens that play this channel’s private videos.{' '}
          <a className="text-accent-text underline underline-offset-3" href="/docs/guides/playback-tokens">
            Learn more
          </a>
        </Trans>
      }
    >
      {error !== null && <ErrorNotice error={error} />}
      <ul {...rows} className="divide-y divide-line empty:hidden">
        {data?.signingKeys?.edges.map(({ node }) => (
          <KeyRow key={node.id} signingKey={node} onDeleted={() => void refetch()} />
        ))}
      </ul>
      {created && <PrivateKey created={created} />}
      <NewKey channelId={channelId} onCreated={show} />
    </Panel>
  );
}

function PrivateKey({ created: { privateKey, signingKey } }: { created: Created }) {
  if (privateKey === null) return null;
  return (
    <div className="space-y-2">
      <p role="status">
        <Trans>
          This is the private key. Save it now: <strong>it is not shown again</strong>. Its key ID is{' '}
          <Code>{signingKey.id}</Code>.
        </Trans>
      </p>
      <Code
        as="output"
        aria-label={t`Private key`}
        className="block rounded-lg border border-line bg-ink px-4 py-2.5 font-mono text-sm whitespace-pre-wrap"
      >
        {privateKey}
      </Code>
      <CopyButton text={privateKey} label={t`Copy private key`} />
    </div>
  );
}

function NewKey({ channelId, onCreated }: { channelId: string; onCreated: (created: Created) => void }) {
  const form = useForm(async (data, element) => {
    const algorithm = ALGORITHMS.find(([name]) => name === data.get('algorithm'))?.[0] ?? 'EDDSA';
    const input = { description: textOf(data, 'description'), algorithm };
    onCreated((await api(CreateSigningKey, { input: { channel: channelId, ...input } })).createSigningKey);
    element.reset();
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4 border-t border-line pt-4" aria-label={t`New signing key`}>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t`Description`}
          name="description"
          maxLength={300}
          autoComplete="off"
          hint={t`Optional. Where it is used.`}
          error={form.fieldError('description')}
        />
        <SelectField
          label={t`Algorithm`}
          name="algorithm"
          defaultValue="EDDSA"
          hint={t`Choose RS256 if your JWT library does not support EdDSA.`}
        >
          {ALGORITHMS.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <Button type="submit" busy={form.busy}>{t`Create signing key`}</Button>
    </form>
  );
}

function KeyRow({ signingKey, onDeleted }: { signingKey: SigningKeyPartsFragment; onDeleted: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const { id, description, algorithm, createdAt, lastUsedAt } = signingKey;
  const name = description || id.slice(-12);
  const remove = async (): Promise<void> => {
    await api(DeleteSigningKey, { id });
    onDeleted();
  };
  return (
    <li aria-label={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48">
        <p className="truncate font-semibold">
          <bdi>{name}</bdi>
        </p>
        <p className="font-mono text-xs text-muted [overflow-wrap:anywhere]">
          <bdi>{id}</bdi>
        </p>
        <p className="text-sm text-muted">
          {[
            algorithm === 'EDDSA' ? 'EdDSA' : algorithm,
            t`created ${calendarDate(createdAt)}`,
            lastUsedAt === null ? t`never used` : t`last used ${localInstant(lastUsedAt)}`,
          ].join(' · ')}
        </p>
      </div>
      <Button look="quiet" onClick={() => setConfirming(true)} aria-label={t`Delete ${name}`}>{t`Delete`}</Button>
      <Confirm
        open={confirming}
        title={t`Delete ${name}?`}
        confirmLabel={t`Delete`}
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>{t`Tokens that it signed stop working at once. Viewers who are watching are stopped within a minute.`}</p>
      </Confirm>
    </li>
  );
}
