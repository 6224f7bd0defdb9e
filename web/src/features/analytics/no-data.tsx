import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';

/** The empty state of analytics. */
export function NoData() {
  return (
    <Empty
      title="No views in this period"
      action={
        <Link to="/studio/videos" className={buttonClass('primary')}>
          Go to your videos
        </Link>
      }
    >
      Publish a video and share its link. A view counts after 3 seconds of watching and appears here within seconds.
      Bots and visitors who opt out of tracking are not counted.
    </Empty>
  );
}
