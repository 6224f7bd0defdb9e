import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import { TOOLSETS, type Toolset } from './registry/tool-file.ts';
import type { Choice } from './tool-registry.ts';

/**
 * Which tools a client wants: `?readonly=true` or the header `X-MCP-Readonly: true`; `?toolsets=publish,analytics` or
 * `X-MCP-Toolsets`, where `all` means every one. Throws INVALID_INPUT for toolsets that do not exist.
 */
export function choiceOf(search: URLSearchParams, headers: IncomingHttpHeaders): Choice {
  const readOnly = search.get('readonly') ?? single(headers['x-mcp-readonly']) ?? 'false';
  const toolsets = search.get('toolsets') ?? single(headers['x-mcp-toolsets']);
  if (readOnly !== 'true' && readOnly !== 'false')
    throw new AppError('INVALID_INPUT', 'readonly is either true or false.', {
      field: 'readonly',
      suggestedFix: 'Use ?readonly=true.',
    });
  return { readOnly: readOnly === 'true', toolsets: toolsets === null ? null : new Set(readToolsets(toolsets)) };
}

function readToolsets(text: string): readonly Toolset[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  if (names.includes('all')) return TOOLSETS;
  return names.map((name) => {
    const known = TOOLSETS.find((each) => each === name);
    if (known) return known;
    throw new AppError('INVALID_INPUT', `There is no toolset ${JSON.stringify(name.slice(0, 40))}.`, {
      field: 'toolsets',
      suggestedFix: `Choose from ${TOOLSETS.join(', ')}, or all.`,
    });
  });
}

/** A header that may be given once. */
export function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
