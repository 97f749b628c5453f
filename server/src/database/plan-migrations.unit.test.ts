import { expect, test } from 'vitest';
import { classify } from './plan-migrations.ts';

test.each([
  ['create table parcels (id int)', 'parcels', 'nothing', 'none'],
  ['create index parcels_id on parcels (id)', 'parcels', 'writes', 'scan'],
  ['create index concurrently parcels_id on parcels (id)', 'parcels', 'nothing', 'scan'],
  ['-- why\nalter table parcels\n  add column weight int', 'parcels', 'reads and writes', 'none'],
  ['alter table parcels alter column weight type bigint', 'parcels', 'reads and writes', 'scan'],
  ['alter table parcels alter column weight set not null', 'parcels', 'reads and writes', 'scan'],
  ['alter table parcels add constraint heavy check (weight > 0) not valid', 'parcels', 'reads and writes', 'none'],
  ['alter table parcels validate constraint heavy', 'parcels', 'nothing', 'scan'],
  ['update parcels set weight = 1', 'parcels', 'nothing', 'write'],
  ['insert into parcels select 1', 'parcels', 'nothing', 'write'],
  ['drop trigger if exists t on parcels', 'parcels', 'reads and writes', 'none'],
  ['create trigger t before update on parcels execute function f()', 'parcels', 'writes', 'none'],
  ['vacuum full', null, 'reads and writes', 'scan'],
])('%s', (statement, table, blocks, work) => {
  expect(classify(statement)).toEqual({ table, blocks, work });
});
