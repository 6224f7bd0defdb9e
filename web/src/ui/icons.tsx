import { Drawing, type IconProperties, SHELL_PATHS } from './shell-icons.tsx';

/** All icons, of which `shell-icons.tsx` has those that every page loads. */
const PATHS = {
  ...SHELL_PATHS,
  play: 'M7 4.5v15l12.5-7.5Z',
  pause: 'M7 5h3.2v14H7zM13.8 5H17v14h-3.2z',
  reply: 'M10 5 4 11l6 6v-4c5 0 8 1.500 10 5-.5-6-4-9.500-10-9.500z',
  volume: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11',
  volumeLow: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6',
  muted: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  audio: 'M9 17.5V6l10-2v11.5M9 17.5a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0M19 15.5a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0',
  captions: 'M4 5.5h16v13H4zM10.5 10.5a2 2 0 1 0 0 3M17 10.5a2 2 0 1 0 0 3',
  pip: 'M3.5 5.5h17v13h-17zM12 12h6v4.5h-6z',
  theatre: 'M3 7h18v10H3z',
  transcript: 'M4 5h16v14H4zM7.5 9.5H12M14.5 9.5h2M7.5 14h2M12 14h4.5',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4',
  fullscreen: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  fullscreenExit: 'M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5',
  check: 'M5 12.5 10 17.5 19.5 7',
  copy: 'M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1',
  key: 'M14.5 9.5a4 4 0 1 1-4-4 4 4 0 0 1 4 4ZM13.4 12.4 20 19M17.5 16.5l-2 2',
  upload: 'M12 16V4.5M7 9l5-5 5 5M4.5 15.5v4h15v-4',
  download: 'M12 4.5V16M7 11.5l5 5 5-5M4.5 15.5v4h15v-4',
  plus: 'M12 5v14M5 12h14',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  grip: 'M9 6v.1M15 6v.1M9 12v.1M15 12v.1M9 18v.1M15 18v.1',
  help: 'M9.3 9.2a2.8 2.8 0 1 1 4 2.6c-.9.5-1.3 1-1.3 2M12 17.2v.1',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6',
  edit: 'M5 19l.8-3.8L16 5l3 3L8.8 18.2z',
  eye:
    'M2.8 12S6.2 5.8 12 5.8 21.2 12 21.2 12 17.8 18.2 12 18.2 2.8 ' +
    '12 2.8 12ZM12 14.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Z',
  hidden:
    'M4 4l16 16M9.6 6.1A9 9 0 0 1 12 5.8c5.8 0 9.2 6.2 9.2 6.2a17 17 0 0 1-3 3.7M6.3 8A16 16 0 0 0 2.8 ' +
    '12s3.4 6.2 9.2 6.2a9 9 0 0 0 3.8-.8M10.2 10.2a2.6 2.6 0 0 0 3.6 3.6',
  block: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM6.4 6.4l11.2 11.2',
  share: 'M14 5l6 5.5-6 5.5v-3.4C9.5 12.6 6.5 14 4 17.5c.5-5 3.5-8.6 10-9.2z',
  flag: 'M6 21V4M6 4.5h11.5l-2.5 4 2.5 4H6',
  pin: 'M9 4h6l-.8 6 3.3 3.5H6.5L9.8 10zM12 13.5V20.5',
  person: 'M12 11.5a3.8 3.8 0 1 0 0-7.6 3.8 3.8 0 0 0 0 7.6ZM4.5 20.3c.6-4 3.7-5.8 7.5-5.8s6.9 1.8 7.5 5.8',
  next: 'M6 5v14l10-7ZM18.5 5v14',
  previous: 'M18 5v14L8 12ZM5.5 5v14',
  chevron: 'M6.5 9.5 12 15l5.5-5.5',
  live:
    'M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8.1 15.9a5.5 5.5 0 0 1 0-7.8M15.9 8.1a5.5 5.5 0 0 1 0 7.8M5.3 ' +
    '18.7a9.5 9.5 0 0 1 0-13.4M18.7 5.3a9.5 9.5 0 0 1 0 13.4',
  video: 'M3.5 5.5h17v13h-17zM10 9v6l5-3z',
  comments: 'M4 5h16v11.5H10L6 20v-3.5H4z',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  chart: 'M4 19.5h16M6.5 16v-5M12 16V6M17.5 16v-8',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6ZM9 12l2.2 2.2L15.3 10',
} as const;

const SOLID: ReadonlySet<string> = new Set(['play', 'pause']);

export type IconName = keyof typeof PATHS;

/** All icons, for the page of components. */
export const ICON_NAMES = Object.keys(PATHS) as readonly IconName[];

export function Icon({ name, className, filled = false }: IconProperties<IconName>) {
  return <Drawing path={PATHS[name]} className={className} filled={filled || SOLID.has(name)} />;
}
