/** SQL: the bytes of an upload that have arrived: all, where it only joins parts. */
export function arrivedBytes(upload: string): string {
  return (
    `case when ${upload}.upload_concat is not null and ${upload}.state = 'OPEN' then ${upload}.size_bytes ` +
    `else ${upload}.received_bytes end`
  );
}
