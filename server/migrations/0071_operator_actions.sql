-- Operators also act on jobs, reports and settings, not only on accounts. The API declares the kinds of actions.
alter table operator_actions drop constraint operator_actions_action_check;
alter table operator_actions add constraint operator_actions_action_check check (action ~ '^[A-Z_]{1,40}$');
alter table operator_actions rename column account_name to subject;
alter table operator_actions add constraint operator_actions_subject_check check (char_length(subject) <= 200);
