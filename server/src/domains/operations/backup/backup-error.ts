/** Why a backup cannot be made, read or restored; the message names what to do. */
export class BackupError extends Error {}

/** A file of a backup is missing, or has other bytes than were written. */
export class DamagedBackupError extends BackupError {}
