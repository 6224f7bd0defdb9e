import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

interface Properties {
  readonly pages: {
    readonly hasMore: boolean;
    readonly busy: boolean;
    readonly error: unknown;
    readonly load: () => void;
  };
  readonly children: string;
}

/** The end of a paginated list: the error of the last request, and the button for more. */
export function More({ pages, children }: Properties) {
  return (
    <>
      {pages.error !== null && (
        <div className="mx-auto mt-8 max-w-xl">
          <ErrorNotice error={pages.error} />
        </div>
      )}
      {pages.hasMore && (
        <p className="mt-10 text-center">
          <Button busy={pages.busy} onClick={pages.load}>
            {children}
          </Button>
        </p>
      )}
    </>
  );
}
