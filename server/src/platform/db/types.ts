import pg from 'pg';

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const TEXT_FORMAT = 'text';

/**
 * '2026-11-20 20:33:31.123456+00' (the sessions run in UTC) to '2026-11-20T20:33:31.123Z'; 'infinity' stays as it is.
 */
export function instantFromPostgres(text: string): string {
  if (text.charCodeAt(10) !== 32) return text;
  const dot = text.indexOf('.', 19);
  const millis =
    dot === -1
      ? '000'
      : text
          .slice(dot + 1, text.indexOf('+', dot))
          .slice(0, 3)
          .padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`;
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} exceeds 53 bits`);
  return value;
}

/**
 * How columns become JavaScript values: int8 and numeric as numbers, timestamptz as ISO 8601 strings, the rest as pg
 * does.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format === undefined || format === TEXT_FORMAT) {
      if (oid === INT8) return safeInteger;
      if (oid === TIMESTAMPTZ) return instantFromPostgres;
      if (oid === NUMERIC) return Number;
    }
    return pg.types.getTypeParser(oid, format);
  },
};

/** Milliseconds of an instant read from the database; ±infinity become ±Infinity. */
export function instantMs(text: string): number {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '-infinity') return Number.NEGATIVE_INFINITY;
  return Date.parse(text);
}
