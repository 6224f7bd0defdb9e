/** As in package.json; a test holds them to be the same. */
export const VERSION = '0.1.0';
