/** SQL: the id of the default captions of the content with this id, or of the first ones if none are the default. */
export function defaultCaptions(contentId: string): string {
  return (
    `(select p.id from captions p where p.content_id = ${contentId} and p.kind <> 'DESCRIPTIONS' ` +
    'order by p.is_default desc, p.created_at, p.id limit 1)'
  );
}
