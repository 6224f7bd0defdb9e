/** The order of most lists of the example. */
export const newestFirst = (child: string) => [`${child}.made_at`, `${child}.id`];
