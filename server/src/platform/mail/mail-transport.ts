/** A message to one recipient. */
export interface MailMessage {
  /** An address; headers are written by the transport, which encodes what it is given. */
  readonly to: string;
  readonly subject: string;
  /** The message as plain text. */
  readonly text: string;
  /** The same as HTML. */
  readonly html: string;
  /** Where its recipient gets no more like it by a POST, without signing in (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** The name of the sender; default: that of MAIL_FROM. */
  readonly fromName?: string;
}

/** Where messages go. */
export interface MailTransport {
  /**
   * Hands a message over. The id makes a repeated delivery recognizable. Throws AppError INVALID_INPUT when the server
   * will never take it, other errors when it may take it later.
   */
  deliver(id: string, message: MailMessage): Promise<void>;
  close(): void;
}
