import { useMutation } from '@tanstack/react-query';

interface Action {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Runs the actions of a component one at a time: the name of the running one, and the error of the last one. */
export function useAction() {
  const { mutate, reset, isPending, variables, error } = useMutation<void, unknown, Action>({
    mutationFn: (action) => action.run(),
  });
  return {
    busy: isPending ? variables.name : null,
    error,
    run: (name: string, run: () => Promise<void>): void => mutate({ name, run }),
    clear: reset,
  };
}
