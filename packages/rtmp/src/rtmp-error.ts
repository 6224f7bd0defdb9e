/** A peer that does not follow the protocol, or goes beyond a limit. The connection has to be closed. */
export class RtmpError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RtmpError';
  }
}
