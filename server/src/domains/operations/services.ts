import type { ServerStatus } from './overview/read-status.ts';

/** What the fields and commands of this domain use; `services.operations` of the engine. */
export interface OperationsServices {
  status(): Promise<ServerStatus>;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly operations: OperationsServices;
  }
}
