import type { ReactNode } from 'react';

interface CodeProps {
  /** `code` for what programs read, `output` for what was just made; `bdi` looks like the text around it. */
  readonly as?: 'bdi' | 'code' | 'output';
  readonly className?: string;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/**
 * An address, a key, a command or another name for programs: it runs from left to right on pages of every language, and
 * breaks anywhere.
 */
export function Code({ as: Element = 'code', className = '', children, ...rest }: CodeProps) {
  return (
    <Element dir="ltr" className={`[overflow-wrap:anywhere] ${className}`} {...rest}>
      {children}
    </Element>
  );
}
