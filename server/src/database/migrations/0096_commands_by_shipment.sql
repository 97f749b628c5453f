-- migrate: no transaction
-- For the places of a shipment's steps, and for their erasure.
drop index concurrently if exists driver_commands_by_shipment;
create index concurrently driver_commands_by_shipment on driver_commands (shipment_id);
