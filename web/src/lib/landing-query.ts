/** The query with which the browser came to the application, as it was: the router writes values in its own form. */
export const landingQuery = location.search.slice(1);
