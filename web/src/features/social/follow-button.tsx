import { FollowChannel, UnfollowChannel } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { followerCountText } from '../../lib/format.ts';
import { t, tc } from '../../lib/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useToggle } from './use-toggle.ts';

interface Properties {
  readonly channel: {
    readonly id: string;
    readonly isFollowed: boolean;
    readonly followersCount: number;
    readonly viewerRole: string | null;
    readonly metadata: { readonly title: string };
  };
}

/** A follow toggle with the number of followers; of one's own channel the number alone. */
export function FollowButton({ channel }: Properties) {
  const { on, count, error, toggle } = useToggle(
    { on: channel.isFollowed, count: channel.followersCount },
    async (next) => {
      const variables = { channel: channel.id };
      const now = next
        ? (await api(FollowChannel, variables)).followChannel
        : (await api(UnfollowChannel, variables)).unfollowChannel;
      return { on: now.channel.isFollowed, count: now.channel.followersCount };
    },
  );
  const { title } = channel.metadata;
  return (
    <>
      {(on || channel.viewerRole !== 'OWNER') && (
        <button
          type="button"
          aria-label={on ? t`Following ${title}` : t`Follow ${title}`}
          onClick={toggle}
          className={buttonClass(on ? 'plain' : 'primary')}
        >
          {on ? tc('state', 'Following') : t`Follow`}
        </button>
      )}
      <span className="text-sm text-muted">{followerCountText(count)}</span>
      {error !== null && (
        <div className="order-last basis-full">
          <ErrorNotice error={error} />
        </div>
      )}
    </>
  );
}
