-- Every step of a search reads its own open offers. Without this index it reads those of all searches.
create index open_offers_by_search on driver_offers (search_id) where answer is null;

-- A driver app repeats an abandonment whose response was lost. This index finds the first one by driver and shipment.
create index dispatch_decisions_given_back on dispatch_decisions (driver_id, shipment_id) where kind = 'abandoned';
