const START = '/graphql';

/** The versions of the API that the server answers, the current one first; the build knows none. */
export function apiVersions(): string[] {
  const content = document.querySelector<HTMLMetaElement>('meta[name="api-versions"]')?.content ?? '';
  return content.split(' ').filter(Boolean);
}

/** The version in the address of the page; empty for the current one. */
export function versionIn(path: string): string {
  return path.startsWith(`${START}/`) ? path.slice(START.length + 1) : '';
}

/** Where a version is explored and asked. */
export function addressOf(version: string): string {
  return version === '' ? START : `${START}/${version}`;
}
