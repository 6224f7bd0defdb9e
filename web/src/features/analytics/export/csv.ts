/**
 * A value of a CSV file: numbers have at most two decimals, and texts that spreadsheets would calculate are marked as
 * text.
 */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A CSV file (RFC 4180) with a header line. */
export function toCsv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Saves a text as a CSV file; the mark in front tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
  link.download = `${name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-').toLowerCase()}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
