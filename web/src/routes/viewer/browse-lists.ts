/** The variables of lists that a route loads and its page continues. */
export const SHORTS = { filter: { kinds: ['SHORT'] }, sort: 'NEWEST' } as const;
export const SERIES = { filter: { kinds: ['SERIES', 'MINISERIES'] }, sort: 'NEWEST' } as const;
