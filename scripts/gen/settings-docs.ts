import { describeSettings } from '../../server/src/platform/config/config.ts';

/** docs/settings.md: every setting with its default and meaning. */
export function settingsPage(): string {
  const rows = describeSettings().map(
    ({ name, fallback, about, isSecret }) =>
      `| \`${name}\`${isSecret ? ' ¹' : ''} | ${fallback === '' ? '' : `\`${fallback}\``} | ${about} |`,
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
    '¹ A secret. It can also be in a file, as Docker and Kubernetes mount secrets: set the name with `_FILE` to its',
    'path, for example `SECRET_KEY_FILE=/run/secrets/secret_key`. One line break at the end of the file is ignored. A',
    'file that is missing, unreadable or empty, and a setting that is given in both ways, are errors at the start.',
    '',
  ].join('\n');
}

/** .env.example: the same, as a file to copy. */
export function environmentExample(): string {
  return `${describeSettings()
    .map(
      ({ name, fallback, about, isSecret }) =>
        `# ${about}${isSecret ? ` Or its file: ${name}_FILE.` : ''}\n#${name}=${fallback}`,
    )
    .join('\n\n')}\n`;
}
