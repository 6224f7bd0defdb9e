/** The variables of lists that a route loads and its page continues. */
export const SHORTS = { filter: { kinds: ['SHORT'] }, sort: 'NEWEST' } as const;
export const SERIES = { filter: { kinds: ['SERIE', 'MINISERIE'] }, sort: 'NEWEST' } as const;
