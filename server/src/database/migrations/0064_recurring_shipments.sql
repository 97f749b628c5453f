-- Recurring shipments: rules that the job create-recurring turns into shipments, once per local day.

create table recurring_schedules (
  account_id uuid not null references accounts,
  id uuid not null,
  creation_key text not null, -- of the form that created it: sent twice, it creates one schedule
  version integer not null default 1, -- increases with every change; a shipment prepared for an older one is not inserted
  state text not null default 'active' check (state in ('active', 'paused', 'ended')),
  weekdays smallint[] not null check (cardinality(weekdays) between 1 and 7 and weekdays <@ '{1,2,3,4,5,6,7}'), -- 1 is Monday
  time_slot text not null, -- as in a request: id or label of a slot of the account, or free text
  slot_start smallint not null, -- minutes after local midnight, as resolved when the rule was saved
  starts_on date not null,
  ends_on date,
  request jsonb, -- the body of a creation, without date and slot; null once erased
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  settled_until timestamptz not null, -- occurrences before this instant need no more work, by the account's clock
  due_at timestamptz, -- when the job must look at it again, by the account's clock
  refused_since timestamptz, -- while an occurrence cannot be created
  primary key (account_id, id),
  unique (account_id, creation_key),
  check (ends_on >= starts_on),
  check ((state = 'active') = (due_at is not null)),
  check ((state = 'ended') = (ended_at is not null)),
  check (state = 'ended' or request is not null)
);
create index recurring_schedules_due on recurring_schedules (due_at);

-- Occurrences that became shipments, written by the transaction that inserts the shipment. The primary key is what makes
-- an occurrence happen once.
create table recurring_occurrences (
  account_id uuid not null,
  schedule_id uuid not null,
  day date not null,
  shipment_id uuid not null,
  primary key (account_id, schedule_id, day),
  unique (account_id, shipment_id),
  foreign key (account_id, schedule_id) references recurring_schedules
);

-- Occurrences that a member skipped, or that could not be created. missed_at: the slot started without a shipment.
create table recurring_exceptions (
  account_id uuid not null,
  schedule_id uuid not null,
  day date not null,
  kind text not null check (kind in ('skipped', 'refused')),
  reason text, -- slug of the last refusal
  attempts integer not null default 0,
  last_at timestamptz not null,
  missed_at timestamptz,
  primary key (account_id, schedule_id, day),
  foreign key (account_id, schedule_id) references recurring_schedules,
  check ((kind = 'refused') = (reason is not null)),
  check (kind = 'refused' or missed_at is null)
);
