-- Messages in chats can be reported.
alter table reports
  -- The reported message; it stays as a row without a text when it is deleted.
  add column chat_message_id uuid references chat_messages on delete cascade,
  drop constraint reports_check,
  add constraint reports_subject_kind check (num_nonnulls(content_id, comment_id, chat_message_id) <= 1);
create index reports_chat_message on reports (chat_message_id) where chat_message_id is not null;
