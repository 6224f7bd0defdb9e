/** SQL: the range that a clip was made of; nulls for other contents. */
export const clipColumns = (content: string): [string, string] => [
  `${content}.clip_start_ms::float8`,
  `${content}.clip_end_ms::float8`,
];
