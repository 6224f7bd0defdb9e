/** A part of the platform that was started. */
export interface RunningRole {
  stop(): Promise<void>;
}
