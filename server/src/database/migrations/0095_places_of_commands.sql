-- Where the phone was when the driver gave a command. Deleted with the command, after 90 days, or with the personal data of
-- the shipment.
alter table driver_commands add column latitude double precision, add column longitude double precision;
