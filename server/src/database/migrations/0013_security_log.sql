-- The security log stores id and e-mail of its actors at that time, and is append-only.

alter table member_acts
  add column actor_email text,                           -- of the member, at that time
  add column key_id uuid,                                -- the API key that acted
  add column key_hint text,
  add column by_unknown boolean not null default false,  -- no session: a failed sign-in
  add column subject_id uuid;                            -- member, invitation, key or webhook

update member_acts a set actor_email = m.email from members m where m.id = a.member_id;

create trigger member_acts_are_append_only before update or delete or truncate on member_acts
  for each statement execute function refuse_change();

-- Ids have no foreign key: they stay when the member is removed, which is how a key shows that its maker has left.
alter table api_keys
  add column created_by_id uuid,
  add column created_by_email text,
  add column revoked_by_email text;

-- Existing keys: the log contains their creators.
update api_keys k
set created_by_id = a.member_id, created_by_email = a.actor_email
from member_acts a
where a.account_id = k.account_id and a.act = 'key-created' and a.member_id is not null and a.actor = k.created_by
  and a.subject = coalesce(k.name, '…' || k.hint)
  and a.at between k.created_at - interval '10 seconds' and k.created_at + interval '10 seconds';

alter table member_invitations
  add column invited_by_id uuid,
  add column invited_by_email text;

update member_invitations i
set invited_by_id = a.member_id, invited_by_email = a.actor_email
from member_acts a
where a.account_id = i.account_id and a.act = 'member-invited' and a.subject = i.email and a.member_id is not null
  and a.actor = i.invited_by;

alter table members
  add column code_locks smallint not null default 0,      -- consecutive: each lasts longer than the one before
  add column last_code_lock_at timestamptz,
  add column failures_logged smallint not null default 0, -- failed attempts in the log since then
  add column failures_logged_since timestamptz;
