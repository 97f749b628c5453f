import type { SearchResult } from '@navette/contract';
import { SEARCH_FIELD_NEEDS, type SearchField } from '@navette/contract/console-roles';
import { SearchList } from '@navette/ui/search/search-list.tsx';
import { useTypedSearch } from '@navette/ui/search/use-typed-search.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { useMay } from '../session/session.ts';
import { FoundRow } from './found-row.tsx';

const FIELDS = Object.keys(SEARCH_FIELD_NEEDS) as SearchField[];

/** Search of shipments, merchants and drivers. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('search');
  const navigate = useNavigate();
  const may = useMay();
  const { typed, setTyped, text, isLong, results, isCurrent, isBusy, error } = useTypedSearch(
    'search',
    async (typedText) => (await call('searchConsole', { body: { text: typedText } })).results,
  );
  const open = ({ type, id }: SearchResult) => {
    onClose();
    if (type === 'shipment') void navigate({ to: '/shipments/$id', params: { id } });
    else if (type === 'driver') void navigate({ to: '/drivers/$id', params: { id } });
    else void navigate({ to: '/merchants/$id', params: { id } });
  };
  const fields = FIELDS.filter((field) => may(SEARCH_FIELD_NEEDS[field])).map((field) => t(`fields.${field}`));
  return (
    <SearchList
      label={t('label')}
      description={t('searched', { fields: new Intl.ListFormat(i18n.language).format(fields) })}
      results={t('results')}
      typed={typed}
      onTyped={setTyped}
      items={results.map((result) => ({
        key: `${result.type} ${result.id} ${result.matched}`,
        row: <FoundRow result={result} />,
        isOutdated: !isCurrent,
        open: () => open(result),
      }))}
      note={results.length > 0 ? null : isLong ? t(isCurrent ? 'none' : 'searching', { text }) : t('start')}
      isBusy={isBusy}
      error={error}
    />
  );
}
