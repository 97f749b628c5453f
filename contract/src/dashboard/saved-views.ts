import Type, { type Static } from 'typebox';
import { MAX_SAVED_VIEWS } from '../limits.ts';
import { Closed, Id, Success, Text } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { DoneAnswer } from './session.ts';
import { ShipmentFilters } from './shipment-list.ts';

const filters = Closed(ShipmentFilters.properties, {
  description: 'Unknown filters are refused: ignoring them would save another list than the one shown.',
});
/** All are texts of a query; what is stored was checked when it was saved. */
const storedFilters = Closed(
  Object.fromEntries(
    Object.keys(ShipmentFilters.properties).map((name) => [
      name,
      Type.Optional(Type.String({ description: 'As in `listShipments`.' })),
    ]),
  ) as Record<keyof ShipmentFilters, Type.TOptional<Type.TString>>,
  { title: 'SavedFilters', description: 'Filters and order of the list, as `listShipments` takes them.' },
);
const SavedView = Closed(
  { id: Id('View id'), name: Type.String({ description: 'Chosen by the member.' }), filters: storedFilters },
  { title: 'SavedView' },
);
export type SavedView = Omit<Static<typeof SavedView>, 'filters'> & { filters: ShipmentFilters };

const SaveViewBody = Type.Object({
  name: Text({ maxLength: 60, description: 'A view of the same name is replaced.' }),
  filters,
});
export type SaveViewBody = Static<typeof SaveViewBody>;

export const savedViewEndpoints = defineEndpoints({
  listSavedViews: {
    section: 'Shipments',
    summary: 'List the member’s saved views of the list',
    needs: 'self',
    answers: { 200: Closed({ success: Success, views: Type.Array(SavedView, { description: 'By name.' }) }) },
  },
  saveView: {
    section: 'Shipments',
    summary: 'Save a view of the list',
    description: `A member has at most ${MAX_SAVED_VIEWS}. Nobody else sees them.`,
    needs: 'self',
    body: SaveViewBody,
    answers: { 201: Closed({ success: Success, view: SavedView }) },
    refusals: ['TOO_MANY_VIEWS'],
  },
  deleteSavedView: {
    section: 'Shipments',
    summary: 'Delete a saved view',
    needs: 'self',
    params: Type.Object({ id: Type.String({ description: 'View id' }) }),
    answers: { 200: DoneAnswer },
    findsOne: true,
  },
});
