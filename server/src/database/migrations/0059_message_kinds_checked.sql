-- Checks existing rows without a lock that stops writes; 0058 widened the list.
alter table messages validate constraint messages_kind_check;
