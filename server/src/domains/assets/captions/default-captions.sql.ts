/**
 * SQL: the id of the default captions of the content with this id; if none are, of the first, forced and automatic ones
 * last.
 */
export function defaultCaptions(contentId: string): string {
  return (
    `(select p.id from captions p where p.content_id = ${contentId} and p.kind <> 'DESCRIPTIONS' ` +
    'order by p.is_default desc, p.is_forced, p.automatic is not null, p.created_at, p.id limit 1)'
  );
}
