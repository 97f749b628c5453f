import type { Translations } from '../translations.ts';

const addresses: Translations['addresses'] = {
  title: 'Address book',
  text: 'Recipients you often ship to. Type their name in a new shipment to complete the form.',
  add: 'Add an address',
  addTitle: 'New address',
  changeTitle: 'Edit address',
  search: 'Search the address book',
  searchHint: 'Name, street, town or email',
  nothing: 'No address matches.',
  more: '{{shown}} of {{total}} addresses: narrow the search to see the others.',
  emptyTitle: 'The address book is empty',
  emptyText: 'Add an address, or save the recipient of a shipment from its page.',
  changeNamed: 'Edit {{name}}',
  deleteNamed: 'Delete {{name}}',
  deleteTitle: 'Delete {{name}} from the address book?',
  deleteText: 'Shipments that were already created do not change.',
  delete: 'Delete',
  deleted: 'Address deleted.',
  save: 'Save',
  saved: 'Address saved.',
  cancel: 'Cancel',
  saveRecipient: 'Save to address book',
  suggestions: 'Suggestions',
  suggested_one: '{{count}} suggestion. Use the arrow keys to choose.',
  suggested_other: '{{count}} suggestions. Use the arrow keys to choose.',
};

export default addresses;
