import { type GraphQLInputType, type GraphQLOutputType, getNamedType, isSpecifiedScalarType } from 'graphql';

/** A type in schema syntax, with a link to its page. */
export function typeLink(type: GraphQLInputType | GraphQLOutputType): string {
  const named = getNamedType(type);
  const text = String(type).replace(/[[\]]/g, '\\$&');
  return isSpecifiedScalarType(named) ? text : text.replace(named.name, `[${named.name}](${typePath(named.name)})`);
}

export function typePath(name: string): string {
  return `/docs/api/types/${name}`;
}

/** Text for a cell of a table. */
export function cell(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

/** A table, or '' without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Joins non-empty blocks with an empty line. */
export function paragraphs(...blocks: readonly (string | null | undefined)[]): string {
  return `${blocks.filter((block) => block).join('\n\n')}\n`;
}
