/** A section of the changelog (Keep a Changelog). */
export interface ReleaseNotes {
  /** `YYYY-MM-DD`; null before the release. */
  readonly releasedOn: string | null;
  readonly text: string;
}

/** What the changelog says about a version. Throws where it says nothing. */
export function releaseNotes(changelog: string, version: string): ReleaseNotes {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version} `));
  const [heading = '', ...lines] = section?.split('\n') ?? [];
  const date = / (?:- (\d{4}-\d{2}-\d{2})|\(unreleased\))$/.exec(heading);
  if (date === null) throw new Error(`CHANGELOG.md needs a heading "## ${version} - YYYY-MM-DD" or "… (unreleased)".`);
  const text = lines.join('\n').trim();
  if (text === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return { releasedOn: date[1] ?? null, text };
}
