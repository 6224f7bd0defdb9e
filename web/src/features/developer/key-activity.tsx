import { type KeyActivityPageFragment, MoreKeyActivity } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { locale, t } from '../../lib/i18n.ts';
import { Code } from '../../ui/code.tsx';
import { More } from '../../ui/more.tsx';

const list = new Intl.ListFormat(locale, { style: 'narrow' });

const CLIENTS = { API: 'API', MCP: t`Agent` } as const;

/** Log of changes made with the key, tokens or connected applications, newest first. */
export function KeyActivity({ activity }: { readonly activity: KeyActivityPageFragment }) {
  const loadMore = async (after: string) => (await api(MoreKeyActivity, { after })).developerSettings.activity;
  const pages = usePages({ queryKey: ['MoreKeyActivity'], first: activity, loadMore, focus: 'li' });
  if (pages.nodes.length === 0)
    return (
      <p className="text-muted">{t`No activity yet. Changes made with your API key, tokens or connected applications
        appear here.`}</p>
    );
  return (
    <div ref={pages.list}>
      <ul className="divide-y divide-line">
        {pages.nodes.map(({ id, at, via, agent, operation, subject, outcome, token }) => (
          <li key={id} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2.5">
            <Code className="font-semibold">{operation}</Code>
            {outcome !== 'OK' && <span className="text-sm text-danger">{outcome}</span>}
            <span className="text-sm text-muted">{clientOf(via, token, agent)}</span>
            <time dateTime={at} className="ms-auto text-sm text-muted">
              {ago(at, Date.now())}
            </time>
            {subject && <Code className="w-full text-xs break-all text-muted">{subject}</Code>}
          </li>
        ))}
      </ul>
      <More pages={pages}>{t`Show more`}</More>
    </div>
  );
}

/** With which token or agent a change was made. */
function clientOf(via: keyof typeof CLIENTS, token: string | null, agent: string): string {
  const facts = [CLIENTS[via], token === null ? '' : t`token “${token}”`, agent];
  return list.format(facts.filter((fact) => fact !== ''));
}
