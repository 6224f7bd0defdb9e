/** A started part of the platform. */
export interface RunningRole {
  stop(): Promise<void>;
}
