/** SQL: the kind of the content with this id, which is part of its DID. */
export function kindOfContent(contentId: string): string {
  return `(select k.kind from contents k where k.id = ${contentId})`;
}
