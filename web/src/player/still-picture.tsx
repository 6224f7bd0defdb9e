import type { Still } from './storyboard.ts';

/** A picture of a storyboard, whole within its box. */
export function StillPicture({
  still: { url, part },
  className,
}: {
  readonly still: Still;
  readonly className: string;
}) {
  if (part === null) return <img src={url} alt="" className={`${className} object-contain`} />;
  const { x, y, width, height } = part;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} className={className}>
      <svg aria-hidden="true" width={width} height={height} viewBox={`${x} ${y} ${width} ${height}`}>
        <image href={url} />
      </svg>
    </svg>
  );
}
