-- migrate: no transaction
-- The job count-figures counts the last 400 days; `navette figures rebuild` counts earlier ones. An hour at a time, by the
-- indexes of 0041. Later ends are noted by the triggers of 0040 already, and nothing is counted before this file ends.
do $$
declare
  hour timestamptz := date_trunc('hour', now() - interval '400 days');
begin
  while hour <= now() loop
    insert into figures_pending (subject, account_id, id)
    select 'run', account_id, id from shipments
    where greatest(delivered_at, cancelled_at, returned_at) >= hour
      and greatest(delivered_at, cancelled_at, returned_at) < hour + interval '1 hour'
    on conflict do nothing;
    insert into figures_pending (subject, account_id, id)
    select 'incident', account_id, id from incidents
    where resolved_at is not null and happened_at >= hour and happened_at < hour + interval '1 hour'
    on conflict do nothing;
    commit;
    hour := hour + interval '1 hour';
  end loop;
end $$;
