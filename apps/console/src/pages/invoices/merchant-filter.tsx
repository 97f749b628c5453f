import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';

const TYPING_PAUSE_MS = 250;

interface Props {
  value: ChosenMerchant | null;
  onChange: (merchant: ChosenMerchant | null) => void;
}

export interface ChosenMerchant {
  id: string;
  /** Empty until a document of the merchant is read: the address of the page has the id only. */
  name: string;
}

/** Finds a merchant by the beginning of a word of its name. */
export function MerchantFilter({ value, onChange }: Props) {
  const { t } = useTranslation('invoices');
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const found = useQuery({
    queryKey: ['merchant-filter', text],
    queryFn: async () => (await call('searchConsole', { body: { text } })).results,
    enabled: text.length >= 2 && text !== value?.name,
  });
  const merchants = (found.data ?? []).filter(({ type }) => type === 'account');
  const options = new Map(merchants.map(({ id, title }) => [id, title]));
  if (value) options.set(value.id, value.name || t('chosenMerchant'));
  return (
    <Select
      aria-label={t('filterMerchant')}
      placeholder={t('allMerchants')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('allMerchants') }}
      nothingFoundMessage={text.length < 2 ? t('typeName') : found.isFetching ? t('searching') : t('noMerchant')}
      filter={({ options: all }) => all}
      data={[...options].map(([id, name]) => ({ value: id, label: name }))}
      value={value?.id ?? null}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id === null ? null : { id, name: options.get(id) ?? '' })}
      w={230}
    />
  );
}
