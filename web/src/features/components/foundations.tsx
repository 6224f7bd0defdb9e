import { ICON_NAMES, Icon } from '../../ui/icons.tsx';
import { Avatar } from '../../ui/image.tsx';
import { Section } from './section.tsx';

/** Tokens of the palette with their use. */
const COLORS = [
  ['ink', 'The page, and the inside of fields'],
  ['surface', 'Cards and panels on the page'],
  ['raised', 'Buttons, selected rows, hover'],
  ['line', 'Lines between rows'],
  ['line-strong', 'Borders of fields: 3:1 on every surface'],
  ['fore', 'Text'],
  ['muted', 'Secondary text: 4.5:1 on every surface'],
  ['accent', 'The one primary action, progress'],
  ['accent-text', 'Links and focus'],
  ['sea', 'Success, avatars'],
  ['danger', 'Errors in text'],
  ['danger-fill', 'Buttons that delete'],
] as const;

export function Colors() {
  return (
    <Section
      title="Colors"
      hint="Two palettes, chosen by the system; lines and secondary text follow a wish for contrast."
    >
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-4">
        {COLORS.map(([name, use]) => (
          <li key={name} className="flex items-center gap-3">
            <span
              className="size-12 shrink-0 rounded-lg border border-line forced-color-adjust-none"
              style={{ backgroundColor: `var(--${name})` }}
            />
            <div className="min-w-0">
              <p className="font-mono text-sm">{name}</p>
              <p className="text-sm text-muted">{use}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const SIZES = [
  ['text-3xl font-bold', 'Title of a page'],
  ['text-xl font-semibold', 'Heading of a section'],
  ['text-lg font-semibold', 'Heading of a panel'],
  ['font-semibold', 'Title of a video'],
  ['', 'Text'],
  ['text-sm text-muted', 'Facts about a video, hints below fields'],
  ['font-mono text-sm', 'Keys, addresses and code'],
] as const;

export function Type() {
  return (
    <Section title="Type" hint="Instrument Sans in four sizes; weight and color lead, not borders.">
      <ul className="card divide-y divide-line px-5">
        {SIZES.map(([className, use]) => (
          <li key={use} className="flex flex-wrap items-baseline justify-between gap-4 py-3">
            <span className={className}>{use}</span>
            <code className="text-sm text-muted">{className || 'text-base'}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Icons() {
  return (
    <Section
      title="Icons and avatars"
      hint="One stroke on a grid of 24 units; the control around an icon has the name."
    >
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2">
        {ICON_NAMES.map((name) => (
          <li key={name} className="flex items-center gap-2 text-sm text-muted">
            <Icon name={name} className="size-5 shrink-0 text-fore" />
            <span className="truncate">{name}</span>
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-3">
        <Avatar image={null} name="Harbour Films" className="size-7 text-xs" />
        <Avatar image={null} name="Harbour Films" />
        <Avatar image={null} name="Harbour Films" className="size-16 text-xl" />
      </div>
    </Section>
  );
}
