import { ShareContent, type SharePersonFragment, UnshareContent } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Properties {
  readonly contentId: string;
  readonly people: readonly SharePersonFragment[];
  readonly onChange: () => void;
}

/** The people that a private video is shared with: add by username or address, and remove. */
export function PeopleList({ contentId, people, onChange }: Properties) {
  const form = useForm(async (data, element) => {
    const person = textOf(data, 'person');
    const input = person.lastIndexOf('@') > 0 ? { email: person } : { username: person };
    await api(ShareContent, { id: contentId, input });
    element.reset();
    onChange();
  });
  const action = useAction();
  const rows = useRowFocus<HTMLUListElement>();
  const remove = (id: string): void =>
    action.run(id, async () => {
      await api(UnshareContent, { id });
      onChange();
    });
  const error = form.error ?? action.error;
  return (
    <section aria-label={t`People`} className="space-y-3">
      <h3 className="font-semibold">{t`People`}</h3>
      <form onSubmit={form.onSubmit} className="space-y-3">
        <TextField
          label={t`Username or email address`}
          name="person"
          required
          maxLength={320}
          autoComplete="off"
          hint={t`An address gives access to the account that has confirmed it, also later.`}
        />
        <Button type="submit" busy={form.busy}>{t`Add`}</Button>
      </form>
      {error !== null && <ErrorNotice error={error} />}
      <ul {...rows} aria-label={t`People with access`} className="divide-y divide-line empty:hidden">
        {people.map((person) => (
          <li key={person.id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0">
              <bdi className="block truncate font-semibold">{person.account?.displayName ?? person.email}</bdi>
              {person.account && (
                <bdi className="block truncate text-sm text-muted" dir="ltr">
                  @{person.account.username}
                </bdi>
              )}
            </span>
            <Button
              look="quiet"
              className="shrink-0"
              busy={action.busy === person.id}
              aria-label={t`Remove ${nameOf(person)}`}
              onClick={() => remove(person.id)}
            >
              {t`Remove`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameOf = ({ account, email }: SharePersonFragment): string => account?.username ?? email ?? '';
