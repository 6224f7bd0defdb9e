/** SQL: what viewers choose captions by: automatic ones say so. */
export function labelOfCaptions(captions: string): string {
  return (
    `(${captions}.label || case ${captions}.automatic when 'SPEECH' then ' (auto-generated)' ` +
    `when 'TRANSLATION' then ' (auto-translated)' else '' end)`
  );
}
