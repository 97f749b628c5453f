-- Checks existing rows without a lock that stops writes; 0032 widened the list.
alter table messages validate constraint messages_status_check;
