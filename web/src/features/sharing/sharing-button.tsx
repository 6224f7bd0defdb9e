import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Sharing } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { LinkList } from './link-list.tsx';
import { PeopleList } from './people-list.tsx';

/** Opens the dialog with the people and the links that a private video is shared with. */
export function SharingButton({ contentId, title }: { contentId: string; title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={t`Share ${title} privately`}>
        <Icon name="share" className="size-4" /> {t`Share privately`}
      </Button>
      <Dialog open={open} title={t`Share privately`} hasClose onClose={() => setOpen(false)}>
        <SharingPanel contentId={contentId} />
      </Dialog>
    </>
  );
}

function SharingPanel({ contentId }: { contentId: string }) {
  const { data, error, refetch } = useQuery({ ...operationQuery(Sharing, { id: contentId }), gcTime: 0 });
  const changed = (): void => void refetch();
  const content = data?.content;
  if (error !== null) return <ErrorNotice error={error} />;
  if (!content) return <div className="skeleton h-48 rounded-xl" />;
  return (
    <div className="space-y-6">
      <p className="text-muted">
        {t`Only members of the channel, these people and whoever opens one of the links can watch.`}{' '}
        {t`It appears in no list, search or feed.`}
      </p>
      <PeopleList
        contentId={contentId}
        people={content.shares?.edges.map(({ node }) => node) ?? []}
        onChange={changed}
      />
      <LinkList
        contentId={contentId}
        links={content.shareLinks?.edges.map(({ node }) => node) ?? []}
        onChange={changed}
      />
    </div>
  );
}
