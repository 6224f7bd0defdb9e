import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/notice.tsx';

/** The empty state of analytics. */
export function NoData() {
  return (
    <Empty
      title={t`No views in this period`}
      action={<Link to="/studio/videos" className={buttonClass('primary')}>{t`Go to your videos`}</Link>}
    >{t`Publish a video and share its link. A view counts after 3 seconds of watching and appears here within seconds.
      Bots and visitors who opt out of tracking are not counted.`}</Empty>
  );
}
