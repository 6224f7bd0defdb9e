/** The table of versions (kernel/api-versions.ts) with the day of a version's publication. Throws if it has one. */
export function withPublication(table: string, version: string, day: string): string {
  const open = `{ name: '${version}', publishedOn: null,`;
  if (!table.includes(open)) throw new Error(`The version ${version} is published already`);
  return table.replace(open, `{ name: '${version}', publishedOn: '${day}',`);
}
