import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { SearchResult } from '@navette/contract';
import { SEARCH_FIELD_NEEDS, type SearchField } from '@navette/contract/console-roles';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { useMay } from '../session/session.ts';
import classes from './search.module.css';
import { SearchRow } from './search-row.tsx';

const TYPED_MS = 150;
const SHORTEST = 2; // characters
const NO_RESULTS: SearchResult[] = [];
const FIELDS = Object.keys(SEARCH_FIELD_NEEDS) as SearchField[];

/** Type, move with the arrows, open with Enter. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('search');
  const navigate = useNavigate();
  const may = useMay();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [text] = useDebouncedValue(typed.trim(), TYPED_MS);
  const query = useQuery({
    queryKey: ['search', text],
    queryFn: () => call('searchConsole', { body: { text } }),
    enabled: text.length >= SHORTEST,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const results = text.length >= SHORTEST ? (query.data?.results ?? NO_RESULTS) : NO_RESULTS;
  const isCurrent = text === typed.trim() && !query.isPlaceholderData;
  const open = ({ type, id }: SearchResult) => {
    onClose();
    if (type === 'shipment') void navigate({ to: '/shipments/$id', params: { id } });
    else if (type === 'driver') void navigate({ to: '/drivers/$id', params: { id } });
    else void navigate({ to: '/merchants/$id', params: { id } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const result = results[active];
    if (step) setActive((at) => Math.min(Math.max(at + step, 0), Math.max(results.length - 1, 0)));
    else if (event.key === 'Enter' && result && isCurrent) open(result);
    else return;
    event.preventDefault();
  };
  const fields = FIELDS.filter((field) => may(SEARCH_FIELD_NEEDS[field])).map((field) => t(`fields.${field}`));
  return (
    <Stack gap="sm">
      <TextInput
        label={t('label')}
        description={t('searched', { fields: new Intl.ListFormat(i18n.language).format(fields) })}
        inputWrapperOrder={['label', 'input', 'description']}
        leftSection={<IconSearch size={16} stroke={1.6} />}
        size="md"
        maxLength={100}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={results[active] ? `${listId}-${active}` : undefined}
        value={typed}
        onChange={(event) => {
          setActive(0);
          setTyped(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <FormError error={query.error} />
      <div
        id={listId}
        role="listbox"
        aria-label={t('results')}
        aria-busy={query.isFetching}
        className={classes.results}
      >
        {results.map((result, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a listbox are handled by its text field
          <div
            key={`${result.type} ${result.id} ${result.matched}`}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.result}
            onClick={() => open(result)}
          >
            <SearchRow result={result} />
          </div>
        ))}
        {results.length === 0 && (
          <Text size="sm" c="dimmed" p="sm" role="option" aria-disabled aria-selected={false}>
            {text.length < SHORTEST ? t('start') : t(isCurrent && query.isSuccess ? 'none' : 'searching', { text })}
          </Text>
        )}
      </div>
    </Stack>
  );
}
