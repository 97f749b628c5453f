import Type, { type Static } from 'typebox';
import { MAX_SAVED_ADDRESSES } from '../limits.ts';
import { Closed, Id, Nullable, OneOf, Success } from '../schema-kit.ts';
import { answeredPlace, Coordinates, DeliveryAddressInput } from '../schemas/address.ts';
import { defineEndpoints } from './endpoint.ts';
import { DoneAnswer } from './session.ts';

const SavedAddress = Closed(
  {
    id: Id('Address id'),
    recipientName: Type.String({ description: 'The recipient.' }),
    ...answeredPlace,
    coordinates: Nullable(Closed(Coordinates.properties, { description: 'Where it is, if that is known.' })),
    phoneNumber: Type.String({ description: 'As it was saved.' }),
    email: Type.String({ description: 'The recipient’s.' }),
  },
  { title: 'SavedAddress' },
);
export type SavedAddress = Static<typeof SavedAddress>;

const AddressSuggestion = Closed(
  {
    street: Nullable(Type.String({ description: 'Number and street; null for a town.' })),
    postalCode: Type.String(),
    city: Type.String(),
    coordinates: Nullable(Closed(Coordinates.properties, { description: 'Of an address; null for a town.' })),
  },
  { title: 'AddressSuggestion' },
);
export type AddressSuggestion = Static<typeof AddressSuggestion>;

const Params = Type.Object({ id: Type.String({ description: 'Address id' }) });
const AddressAnswer = Closed({ success: Success, address: SavedAddress });

export const addressEndpoints = defineEndpoints({
  listAddresses: {
    section: 'Address book',
    summary: 'Search the account’s saved addresses',
    needs: 'ship',
    query: Type.Object({
      search: Type.Optional(
        Type.String({ maxLength: 100, description: 'Words of name, street, town or e-mail; all must occur.' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
    }),
    answers: {
      200: Closed({
        success: Success,
        addresses: Type.Array(SavedAddress, { description: 'With a search, the last used first; else by name.' }),
        total: Type.Integer({ description: 'All that match.' }),
      }),
    },
  },
  saveAddress: {
    section: 'Address book',
    summary: 'Save an address',
    description: `The same name at the same place replaces what was saved. An account has at most ${MAX_SAVED_ADDRESSES}.`,
    needs: 'ship',
    body: DeliveryAddressInput,
    answers: { 201: AddressAnswer },
    refusals: ['ADDRESS_BOOK_FULL'],
  },
  changeAddress: {
    section: 'Address book',
    summary: 'Change a saved address',
    needs: 'ship',
    params: Params,
    body: DeliveryAddressInput,
    answers: { 200: AddressAnswer },
    refusals: ['ADDRESS_SAVED_ALREADY'],
    findsOne: true,
  },
  deleteAddress: {
    section: 'Address book',
    summary: 'Delete a saved address',
    needs: 'ship',
    params: Params,
    answers: { 200: DoneAnswer },
    findsOne: true,
  },
  suggestAddresses: {
    section: 'Address book',
    summary: 'Complete an address',
    description:
      'Addresses come from the geocoder, if there is one; towns from a list of French towns. Empty while nothing fits, the geocoder does not answer, or a member asks too often.',
    needs: 'ship',
    query: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 200, description: 'What was typed so far.' }),
      kind: OneOf(['address', 'town'] as const, { description: 'An address, or a town with its postal code.' }),
    }),
    answers: { 200: Closed({ success: Success, suggestions: Type.Array(AddressSuggestion) }) },
  },
});
