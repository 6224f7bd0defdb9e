/**
 * A command that works when pasted into a shell: checks the key. A key has no characters that a shell or JSON would
 * change.
 */
export function curlExample(baseUrl: string, key: string): string {
  const body = JSON.stringify({
    query: '{ verifyConnection { authenticated user { username } channel { id name } permissions } }',
  });
  const address = `${baseUrl}/graphql`.replaceAll("'", "'\\''");
  return `curl -sS '${address}' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`;
}
