import { siteLogo } from '../lib/site.ts';

/** The logo of this server; ours is a play symbol drawn as a graph: three nodes, three edges. */
export function Logo({ className = 'size-8' }: { className?: string }) {
  const own = siteLogo();
  if (own !== null)
    return <img src={own} alt="" className={`${className} w-auto! max-w-24 object-contain sm:max-w-48`} />;
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" focusable="false">
      <path
        d="M8.5 6.5v19L26 16Z"
        fill="currentColor"
        fillOpacity=".16"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinejoin="round"
        className="text-accent-text"
      />
      <circle cx="8.5" cy="6.5" r="4" className="fill-accent" />
      <circle cx="8.5" cy="25.5" r="4" className="fill-accent" />
      <circle cx="26" cy="16" r="4" className="fill-sea" />
    </svg>
  );
}
