import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';

/** Why there are no numbers, and what brings some. */
export function NoNumbers() {
  return (
    <Empty
      title="Nobody watched in this period"
      action={
        <Link to="/studio" className={buttonClass('primary')}>
          Go to your videos
        </Link>
      }
    >
      Publish a video and share its link. A view counts once somebody watched for 3 seconds, and appears here within seconds. Robots, and
      visitors who ask not to be tracked, are not counted.
    </Empty>
  );
}
