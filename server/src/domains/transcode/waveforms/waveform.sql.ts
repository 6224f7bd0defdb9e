/** SQL: the state of a waveform. */
export const waveformStatus = (t: string): string =>
  `case when ${t}.pairs is not null then 'READY' when ${t}.failed_at is null then 'QUEUED' else 'FAILED' end`;

/** SQL: its bytes in Base64; PostgreSQL breaks lines. */
export const waveformPairs = (t: string): string => `translate(encode(${t}.pairs, 'base64'), E'\\n', '')`;
