import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AccountDialog } from '../../features/admin/account-dialogs.tsx';
import { type AccountAction, AccountRow } from '../../features/admin/account-row.tsx';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { type AccountRowFragment, Accounts } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { shortCount } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { plural, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { More } from '../../ui/more.tsx';

const route = getRouteApi('/admin/accounts');

/** All accounts, for operators. */
export function AdminAccountsPage() {
  const { accounts } = route.useLoaderData();
  const search = route.useSearch();
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Accounts`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      <Filter />
      <List key={JSON.stringify(search)} accounts={accounts} />
    </div>
  );
}

/** The states that can be searched for; a suspended account can be going to be deleted, too. */
const STATES: Readonly<Record<string, { readonly suspended?: boolean; readonly closed?: boolean }>> = {
  active: { suspended: false, closed: false },
  suspended: { suspended: true },
  closed: { closed: true },
};

function Filter() {
  const { q = '', suspended, closed } = route.useSearch();
  const navigate = useNavigate();
  const apply = (form: FormData): void => {
    const [text, state] = [String(form.get('q') ?? '').trim(), form.get('state')];
    void navigate({
      to: '/admin/accounts',
      search: {
        ...(text === '' ? {} : { q: text }),
        ...STATES[String(state)],
      },
    });
  };
  return (
    <search>
      <form
        className="grid items-end gap-4 sm:grid-cols-[1fr_12rem_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          apply(new FormData(event.currentTarget));
        }}
      >
        <TextField label={t`Search`} name="q" type="search" defaultValue={q} placeholder={t`Username, name or email`} />
        <SelectField
          label={t`State`}
          name="state"
          defaultValue={suspended ? 'suspended' : closed ? 'closed' : suspended === false ? 'active' : 'all'}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
        >
          <option value="all">{t`All`}</option>
          <option value="active">{t`Active`}</option>
          <option value="suspended">{t`Suspended`}</option>
          <option value="closed">{t`Will be deleted`}</option>
        </SelectField>
        <Button type="submit">{t`Search`}</Button>
      </form>
    </search>
  );
}

type Loaded = ReturnType<typeof route.useLoaderData>['accounts'];

function List({ accounts }: { readonly accounts: Loaded }) {
  const { q, suspended, closed } = route.useSearch();
  const { totalCount } = accounts;
  const filter = { search: q ?? null, suspended: suspended ?? null, closed: closed ?? null };
  const loadMore = async (after: string) => (await api(Accounts, { ...filter, after })).accounts;
  const pages = usePages({ queryKey: ['accounts', filter], first: accounts, loadMore, focus: 'li' });
  const [changed, setChanged] = useState<Readonly<Record<string, AccountRowFragment>>>({});
  const [open, setOpen] = useState<{ action: AccountAction; account: AccountRowFragment } | null>(null);
  return (
    <>
      <p role="status" className="text-muted">
        {plural(totalCount, { one: '# account', other: '# accounts' }, shortCount(totalCount))}
      </p>
      <div ref={pages.list}>
        <ul className="divide-y divide-line">
          {pages.nodes.map((node) => (
            <AccountRow
              key={node.id}
              account={changed[node.id] ?? node}
              onAction={(action, account) => setOpen({ action, account })}
            />
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
      {open && (
        <AccountDialog
          {...open}
          onClose={() => setOpen(null)}
          onChanged={(account) => setChanged((known) => ({ ...known, [account.id]: account }))}
        />
      )}
    </>
  );
}
