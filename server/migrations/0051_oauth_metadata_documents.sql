-- Applications with a client ID metadata document (ADR 0102), which are deleted soon when nobody connects them.
create index oauth_clients_documents on oauth_clients (updated_at) where client_discovery_id is not null;
