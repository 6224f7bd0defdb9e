-- Details of the audit log as a message with its values, {"key", "values"}: whoever reads it gets it in their language.
-- Null where they are what somebody wrote, as the reason of a suspension.
alter table operator_actions add column details_text jsonb;
