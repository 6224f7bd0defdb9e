/** SQL: whether the link of the row can be opened at `now`. */
export function isUsableLink(link: string, now: string): string {
  return (
    `((${link}.expires_at is null or ${link}.expires_at > ${now}) and ` +
    `(${link}.max_uses is null or ${link}.uses < ${link}.max_uses))`
  );
}
