import { describeSettings } from '../../server/src/platform/config/config.ts';

/** docs/settings.md: every setting with its default and meaning. */
export function settingsPage(): string {
  const rows = describeSettings().map(
    ({ name, fallback, about }) => `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${about} |`,
  );
  return [
    '# Settings',
    '',
    'The platform reads its settings from the environment once at start, and reports all errors together.',
    '',
    '| name | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** .env.example: the same, as a file to copy. */
export function environmentExample(): string {
  return `${describeSettings()
    .map(({ name, fallback, about }) => `# ${about}\n#${name}=${fallback}`)
    .join('\n\n')}\n`;
}
