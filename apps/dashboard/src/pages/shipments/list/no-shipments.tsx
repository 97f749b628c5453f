import { Button, Group } from '@mantine/core';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { IconPackage, IconSearchOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/session.ts';

/** Empty list of a new account: how to create the first shipment. */
export function NoShipmentsYet() {
  const { t } = useTranslation('shipments');
  const may = useMay();
  if (!may('ship')) return <EmptyState icon={IconPackage} title={t('emptyTitle')} text={t('emptyReadOnly')} />;
  return (
    <EmptyState icon={IconPackage} title={t('emptyTitle')} text={t('emptyText')}>
      <Group justify="center" gap="sm">
        <ButtonLink to="/shipments/new">{t('new')}</ButtonLink>
        <ButtonLink to="/shipments/import" variant="default">
          {t('import')}
        </ButtonLink>
        <ButtonLink to="/developers/start" variant="default">
          {t('useApi')}
        </ButtonLink>
      </Group>
    </EmptyState>
  );
}

export function NoMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('shipments');
  return (
    <EmptyState icon={IconSearchOff} title={t('noMatchTitle')} text={t('noMatchText')}>
      <Button variant="default" onClick={onClear}>
        {t('clearFilters')}
      </Button>
    </EmptyState>
  );
}
