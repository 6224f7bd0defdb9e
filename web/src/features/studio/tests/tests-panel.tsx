import { useQuery } from '@tanstack/react-query';
import {
  ApplyTestVariant,
  StopTest,
  StudioTests,
  type StudioTestsResult,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StartTestForm } from './start-test-form.tsx';
import { TestResult } from './test-result.tsx';
import { dateText } from './test-text.ts';

const POLL_MS = 15_000;

type TestedContent = NonNullable<StudioTestsResult['content']>;

interface Properties {
  readonly contentId: string;
  /** Called when the title or the image of the content may have changed. */
  readonly onChange: () => void;
}

/** Tests of titles and thumbnails: start, progress, result, and earlier ones. */
export function TestsPanel({ contentId, onChange }: Properties) {
  const action = useAction();
  const { data, error, refetch } = useQuery({
    ...operationQuery(StudioTests, { id: contentId }),
    refetchInterval: ({ state }) => (state.data?.content?.test?.state === 'RUNNING' ? POLL_MS : false),
  });
  const content = data?.content;
  if (!content) return error === null ? null : <ErrorNotice error={error} />;
  const { test } = content;
  const isRunning = test?.state === 'RUNNING';
  const then = (name: string, change: () => Promise<unknown>) => (): void =>
    action.run(name, async () => {
      await change();
      await refetch();
      onChange();
    });
  return (
    <Panel
      title={t`Title and thumbnail test`}
      hint={t`Shows each viewer one of two or three versions, and measures which one is clicked more often.`}
    >
      {action.error !== null && <ErrorNotice error={action.error} />}
      {test && (
        <TestResult
          test={test}
          busy={action.busy}
          onApply={(variant) => then(variant, () => api(ApplyTestVariant, { id: contentId, variant }))()}
        />
      )}
      {isRunning ? (
        <Button
          busy={action.busy === 'stop'}
          onClick={then('stop', () => api(StopTest, { id: contentId }))}
        >{t`Stop the test`}</Button>
      ) : (
        <NewTest content={content} onStarted={refetch} onUploaded={refetch} />
      )}
      <EarlierTests content={content} />
    </Panel>
  );
}

interface NewTestProperties {
  readonly content: TestedContent;
  readonly onStarted: () => Promise<unknown>;
  readonly onUploaded: () => Promise<{ readonly data?: StudioTestsResult | undefined }>;
}

function NewTest({ content, onStarted, onUploaded }: NewTestProperties) {
  const { id, status, metadata, assets, card } = content;
  if (status !== 'PUBLISHED' || metadata.visibility !== 'PUBLIC')
    return <p className="text-sm text-muted">{t`Available for published, public videos.`}</p>;
  const images = assets.images.edges.map(({ node }) => node);
  const reload = async () => (await onUploaded()).data?.content?.assets.images.edges.map(({ node }) => node) ?? [];
  return (
    <StartTestForm
      content={{ id, title: metadata.title, imageId: card.image?.id ?? null }}
      images={images}
      reloadImages={reload}
      onStarted={onStarted}
    />
  );
}

/** The results of earlier tests, latest first. */
function EarlierTests({ content: { test, tests } }: { content: TestedContent }) {
  const earlier = tests?.edges.map(({ node }) => node).filter(({ id }) => id !== test?.id) ?? [];
  if (earlier.length === 0) return null;
  const total = (tests?.totalCount ?? 1) - 1;
  return (
    <details>
      <summary className="cursor-pointer text-sm font-semibold">{t`Earlier tests (${total})`}</summary>
      <ul className="mt-3 space-y-2 text-sm">
        {earlier.map(({ id, startedAt, explanation }) => (
          <li key={id}>
            <span className="text-muted">{dateText(startedAt)}</span>
            {' · '}
            {explanation}
          </li>
        ))}
      </ul>
    </details>
  );
}
