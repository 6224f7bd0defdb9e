import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, not, oneOf, type Policy, permission, state } from '../../../kernel/policy.ts';

interface ExportFacts {
  /** Whether it is of the viewer's account, and the credential of the request may see it. */
  readonly own: boolean;
  readonly status: string;
}

/** Who may cancel an export: its account, with a credential that may see it. For others it does not exist. */
export const EXPORT_CANCELLATION: Policy<ExportFacts> = {
  missing: exportNotFound,
  requires: [
    permission(fact('own'), exportNotFound),
    state(not(oneOf('status', ['COMPLETE', 'ERROR', 'EXPIRED'])), (field) => {
      return new AppError('INVALID_INPUT', t`This export has already ended.`, {
        field,
        suggestedFix: t`There is nothing to cancel. Its file is deleted by itself; see expiresAt.`,
      });
    }),
  ],
};

function exportNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such export, or it is not visible to this credential.`, {
    field,
    suggestedFix: t`Check the id; dataExports lists those that this credential may see.`,
  });
}
