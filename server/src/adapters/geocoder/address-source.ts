import type { AddressSuggestion } from '@navette/contract';
import { createTownCompletion } from './complete-town.ts';
import { createNationalAddressService } from './national-address-service.ts';

/** Completions of addresses that are being typed. Towns are offline; addresses need a geocoding service. */
export interface AddressSource {
  /** Null without a geocoder that knows streets. */
  addresses: ((text: string) => Promise<AddressSuggestion[]>) | null;
  towns: (text: string) => Promise<AddressSuggestion[]>;
}

export const createAddressSource = ({ geocoderUrl }: { geocoderUrl: string | null }): AddressSource => ({
  addresses: geocoderUrl ? suggestionsOf(geocoderUrl) : null,
  towns: createTownCompletion(),
});

function suggestionsOf(baseUrl: string): (text: string) => Promise<AddressSuggestion[]> {
  const service = createNationalAddressService({ baseUrl });
  return (text) => service.suggest(text);
}
