import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AccountPage } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { IconMapPin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { PickupAddressForm } from './pickup-address-form.tsx';

/** The pickup address, editable with permission. */
export function PickupAddress({ page }: { page: AccountPage }) {
  const { t } = useTranslation(['account', 'common']);
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  const address = page.account.pickupAddress;
  return (
    <Card title={t('pickup.title')}>
      <Stack align="flex-start" gap="md">
        {address ? (
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <IconMapPin size={22} stroke={1.5} aria-hidden style={{ flexShrink: 0 }} />
            <Text component="address" style={{ fontStyle: 'normal' }}>
              {address.street}
              <br />
              {address.postalCode} {address.city}
              <br />
              {address.country}
            </Text>
          </Group>
        ) : (
          <Text c="dimmed">{t('pickup.none')}</Text>
        )}
        {may('ship') ? (
          <Button variant={address ? 'default' : 'filled'} onClick={open}>
            {t(address ? 'pickup.change' : 'pickup.set')}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {t('pickup.notAllowed')}
          </Text>
        )}
      </Stack>
      <Modal
        opened={opened}
        onClose={close}
        title={t('pickup.title')}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <PickupAddressForm address={address} onSaved={close} />
      </Modal>
    </Card>
  );
}
