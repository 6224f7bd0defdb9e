/** What the composition root may import from operations. */
export { type BackupTools, backupCommands } from './backup/backup.command.ts';
export { DOCTOR_COMMAND, runDoctor } from './doctor/doctor-command.ts';
export { ROTATE_SECRET_KEY_COMMAND } from './key-rotation/rotation-command.ts';
export { declareOperations } from './operations.graphql.ts';
export { PREFLIGHT_COMMAND, runPreflight } from './preflight/preflight-command.ts';
export { type OperationsDomain, registerOperations } from './register.ts';
