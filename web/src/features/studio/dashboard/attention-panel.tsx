import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OpenUploads, type StudioContentFragment, StudioContents } from '../../../gql/generated/operations.gen.ts';
import { contentTail } from '../../../lib/did.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { uploadFor, useUploads } from '../../uploads/upload-list.ts';
import { ContentProgress } from '../content/content-progress.tsx';
import { type OpenUpload, progressOf } from '../content/progress-of.ts';

const AT_MOST = 5;
/** While something is processed. */
const EVERY_MS = 5_000;

/** Uploads and videos that are processed or failed, each with what to do; nothing without any. */
export function AttentionPanel({ channel }: { channel: string }) {
  const uploads = useUploads();
  const query = useQuery({
    ...operationQuery(StudioContents, { id: channel, statuses: ['PROCESSING', 'FAILED', 'DRAFT'] }),
    refetchInterval: ({ state }) => {
      const edges = state.data?.channel?.contents?.edges ?? [];
      return edges.some(({ node }) => node.status === 'PROCESSING') ? EVERY_MS : false;
    },
  });
  const { data: sessions } = useQuery(operationQuery(OpenUploads, {}));
  const open = (id: string): OpenUpload | null =>
    sessions?.me.ingestions.edges
      .map(({ node }) => node)
      .find(({ state, metadata }) => (state === 'OPEN' || state === 'FAILED') && metadata.contentId === id) ?? null;
  const waiting = (query.data?.channel?.contents?.edges ?? [])
    .map(({ node: content }) => ({ content, upload: uploadFor(uploads, content.id), open: open(content.id) }))
    .filter((facts) => progressOf(facts) !== null)
    .slice(0, AT_MOST);
  if (query.error !== null) return <ErrorNotice error={query.error} />;
  if (waiting.length === 0) return null;
  return (
    <Panel title={t`Uploads and processing`}>
      <ul className="space-y-5">
        {waiting.map((facts) => (
          <li key={facts.content.id} className="space-y-2">
            <Title content={facts.content} />
            <ContentProgress {...facts} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Title({ content: { id, metadata } }: { content: StudioContentFragment }) {
  return (
    <Link
      to="/studio/content/$"
      params={{ _splat: contentTail(id) }}
      dir="auto"
      className="font-medium [overflow-wrap:anywhere] hover:text-accent-text"
    >
      {metadata.title}
    </Link>
  );
}
