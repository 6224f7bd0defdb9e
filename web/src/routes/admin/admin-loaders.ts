import {
  Accounts,
  type AccountsVariables,
  InstanceSettings,
  Invitations,
  MailFolder,
  OperatorActions,
  ServerJobs,
  type ServerJobsVariables,
  ServerReports,
  type ServerReportsVariables,
  ServerStatus,
  ServerStorage,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';

/** What the pages of operators load; loaded with the first of them. */

export const overview = () => api(ServerStatus);
export const accounts = (variables: AccountsVariables) => api(Accounts, variables);
export const jobs = (variables: ServerJobsVariables) => api(ServerJobs, variables);
export const reports = (variables: ServerReportsVariables) => api(ServerReports, variables);
export const storage = () => api(ServerStorage);
export const invitations = () => api(Invitations, {});
export const mail = () => api(MailFolder);
export const log = () => api(OperatorActions, {});
export const settings = () => api(InstanceSettings);
