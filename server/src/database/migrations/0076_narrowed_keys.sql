-- Keys that work only from some networks, or only for some resources. Null: without this restriction.
alter table api_keys add column networks text[];
alter table api_keys add column resources text[];
-- Days before the expiry of the last reminder that was sent: 14, then 3. Null: none yet.
alter table api_keys add column reminded_days smallint;
