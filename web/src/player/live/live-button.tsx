import { clockTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { isAtEdge, type LiveEdge } from './live-edge.ts';

interface Properties {
  readonly edge: LiveEdge;
  /** Current position in seconds. */
  readonly time: number;
  readonly onPress: () => void;
}

/** Says whether what is shown is live, or how far behind it is; then it goes there. */
export function LiveButton({ edge, time, onPress }: Properties) {
  const isLive = isAtEdge(edge, time);
  const behind = `−${clockTime(edge.position - time)}`;
  const latency = edge.latency === null ? undefined : edge.latency.toFixed(1);
  return (
    <button
      type="button"
      disabled={isLive}
      aria-label={isLive ? t`Live` : t`${behind}, go to live`}
      title={latency === undefined ? undefined : t`${latency} seconds behind the encoder`}
      onClick={onPress}
      className={
        'flex items-center gap-1.5 rounded px-1.5 py-0.5 text-[0.8rem] font-semibold whitespace-nowrap tabular-nums ' +
        'enabled:hover:bg-white/15 @lg:text-sm'
      }
    >
      <span aria-hidden="true" className={`size-2 rounded-full ${isLive ? 'bg-red-500' : 'bg-white/60'}`} />
      {isLive ? t`Live` : behind}
    </button>
  );
}
