-- Every step of a search asks for its own open offers. Without this it read those of all searches.
create index open_offers_by_search on driver_offers (search_id) where answer is null;

-- A driver may say twice that a run is given back, when the first answer got lost: found by who said it of what.
create index dispatch_decisions_given_back on dispatch_decisions (driver_id, shipment_id) where kind = 'abandoned';
