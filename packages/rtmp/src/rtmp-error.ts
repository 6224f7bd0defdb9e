/** A peer that does not follow the protocol, or goes beyond a limit. The connection has to be closed. */
export class RtmpError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RtmpError';
  }
}

/** A server refuses to take a stream, or takes it no longer. */
export class PublishRefusedError extends RtmpError {
  /** As the server gives it: untrusted, and empty where it gives none. It may repeat the stream key. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The server refuses the stream: ${reason || 'it gives no reason'}`);
    this.name = 'PublishRefusedError';
    this.reason = reason;
  }
}
