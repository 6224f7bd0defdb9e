import { getRouteApi } from '@tanstack/react-router';
import { ContentGrid } from '../../features/browse/content-grid.tsx';
import { SharedContents } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { EmptyLibrary, LibraryPage } from './library-pages.tsx';

const route = getRouteApi('/shared');

/** Private videos that others share with the viewer, last shared first. */
export function SharedPage() {
  const contents = route.useLoaderData();
  return (
    <LibraryPage title={t`Shared with me`}>
      {contents.totalCount === 0 ? (
        <EmptyLibrary title={t`Nothing is shared with you yet`}>
          {t`Private videos that others share with your account, or with its confirmed email address, appear here.`}
        </EmptyLibrary>
      ) : (
        <ContentGrid
          queryKey={['SharedContents']}
          first={contents}
          loadMore={async (after) => (await api(SharedContents, { after })).me.sharedContents}
        />
      )}
    </LibraryPage>
  );
}
