import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { matchesWords } from '@navette/ui/search/matches-words.ts';
import { type FoundItem, SearchList } from '@navette/ui/search/search-list.tsx';
import { SearchRow } from '@navette/ui/search/search-row.tsx';
import { useTypedSearch } from '@navette/ui/search/use-typed-search.ts';
import { IconPackage } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { useDestinations } from './use-destinations.ts';

const MOST_SHIPMENTS = 8;

/** Everything by keyboard: actions and pages of the member's role, and shipments by order, reference, name or town. */
export default function PaletteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('layout');
  const navigate = useNavigate();
  const search = useTypedSearch(
    'palette',
    async (text) => (await call('listShipments', { query: { search: text, limit: MOST_SHIPMENTS } })).shipments,
  );
  const { typed, setTyped, isLong, results, isCurrent, isBusy, error } = search;
  const destinations = useDestinations().filter(({ label }) => matchesWords(typed, label));
  const go = (open: () => Promise<void>) => () => {
    onClose();
    void open();
  };
  const sectionOf = (kind: 'actions' | 'pages') =>
    destinations
      .filter((destination) => destination.kind === kind)
      .map(
        ({ label, icon, to }, index): FoundItem => ({
          key: `${kind} ${to}`,
          row: <SearchRow icon={icon} kind={t(`palette.kinds.${kind}`)} title={label} />,
          ...(index === 0 ? { section: t(`palette.${kind}`) } : {}),
          open: go(() => navigate({ to })),
        }),
      );
  const shipments = results.map(
    ({ id, referenceNumber, orderId, recipientName, city, status }, index): FoundItem => ({
      key: id,
      row: (
        <SearchRow
          icon={IconPackage}
          kind={t('palette.kinds.shipment')}
          title={orderId ?? referenceNumber}
          facts={[recipientName, city, orderId && referenceNumber].filter(Boolean).join(' · ')}
        >
          <StatusBadge status={status} />
        </SearchRow>
      ),
      ...(index === 0 ? { section: t('palette.shipments') } : {}),
      isOutdated: !isCurrent,
      open: go(() => navigate({ to: '/shipments/$id', params: { id } })),
    }),
  );
  const items = [...sectionOf('actions'), ...sectionOf('pages'), ...shipments];
  return (
    <SearchList
      label={t('palette.label')}
      description={t('palette.description')}
      results={t('palette.results')}
      typed={typed}
      onTyped={setTyped}
      items={items}
      note={isLong ? noteOf(shipments.length, items.length) : null}
      isBusy={isBusy}
      error={error}
    />
  );

  function noteOf(found: number, all: number): string | null {
    if (found > 0) return null;
    if (!isCurrent) return t('palette.searching');
    return t(all > 0 ? 'palette.noShipment' : 'palette.nothing', { text: typed.trim() });
  }
}
