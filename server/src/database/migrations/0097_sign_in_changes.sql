-- E-mail addresses with which somebody began or ceased to sign in, as SHA-256 of the address in lower case. A job reports them
-- to the directory of cells and deletes them, within a minute; without a directory it only deletes them.
create table sign_in_changes (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('member', 'driver', 'staff')),
  address_hash bytea not null,
  is_known boolean not null
);

create function hash_of_address(email text) returns bytea language sql stable as $$
  select sha256(convert_to(lower(email), 'UTF8'))
$$;

create function note_sign_in_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.email is not null then
    insert into sign_in_changes (kind, address_hash, is_known) values (tg_argv[0], hash_of_address(old.email), false);
  end if;
  if tg_op <> 'DELETE' and new.email is not null then
    insert into sign_in_changes (kind, address_hash, is_known) values (tg_argv[0], hash_of_address(new.email), true);
  end if;
  return null;
end $$;

create trigger note_member_sign_in_change after insert or delete or update of email on members
  for each row execute function note_sign_in_change('member');
create trigger note_driver_sign_in_change after insert or delete or update of email on drivers
  for each row execute function note_sign_in_change('driver');
create trigger note_staff_sign_in_change after insert or delete or update of email on staff
  for each row execute function note_sign_in_change('staff');
