import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApproveChatMessage, DeleteChatMessage, HeldMessages as Held } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { plural, t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const POLL_MS = 5_000;

/** The messages of a chat that are held for review, for its moderators. */
export function HeldMessages({ streamId }: { readonly streamId: string }) {
  const held = operationQuery(Held, { id: streamId });
  const { data } = useQuery({ ...held, refetchInterval: POLL_MS });
  const queries = useQueryClient();
  const action = useAction();
  const content = data?.content;
  const list = content && 'chat' in content ? content.chat?.heldMessages : null;
  if (!list || list.totalCount === 0) return null;
  const run = (name: string, change: () => Promise<unknown>): void =>
    action.run(name, async () => {
      await change();
      await queries.invalidateQueries({ queryKey: held.queryKey });
    });
  return (
    <details className="rounded-lg bg-raised p-3" open>
      <summary className="font-semibold">
        {plural(list.totalCount, { one: '# message held for review', other: '# messages held for review' })}
      </summary>
      <ul className="mt-2 space-y-2">
        {list.edges.map(({ node: { id, author, body } }) => (
          <li key={id} className="space-y-1.5">
            <p dir="auto" className="[overflow-wrap:anywhere]">
              <bdi className="me-2 font-semibold">{author.username}</bdi>
              {body}
            </p>
            <p className="flex gap-2">
              <Button
                busy={action.busy === `approve:${id}`}
                onClick={() => run(`approve:${id}`, () => api(ApproveChatMessage, { id }))}
              >{t`Approve`}</Button>
              <Button
                look="quiet"
                busy={action.busy === `delete:${id}`}
                onClick={() => run(`delete:${id}`, () => api(DeleteChatMessage, { id }))}
              >{t`Delete`}</Button>
            </p>
          </li>
        ))}
      </ul>
      {action.error !== null && <ErrorNotice error={action.error} />}
    </details>
  );
}
