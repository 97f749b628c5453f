-- The trace of the change that a delivery announces, when its spans are recorded: docs/decisions/tracing.md.
alter table webhook_deliveries add column traceparent text;
