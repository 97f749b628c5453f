import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { IconAddressBook } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { ShipmentDetail } from '../shipments/shipments-queries.ts';

/** Saves the recipient of a shipment. Saved again, the entry is updated. */
export function SaveAddress({ of }: { of: ShipmentDetail['shipment']['deliveryAddress'] }) {
  const { t } = useTranslation('addresses');
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const { coordinates, ...address } = of;
      return call('saveAddress', { body: { ...address, ...(coordinates && { coordinates }) } });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['addresses'] });
      notifications.show({ message: t('saved') });
    },
    onError: (error) => notifications.show({ color: 'red', message: explain(error) }),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      mt="xs"
      style={{ alignSelf: 'flex-start' }}
      leftSection={<IconAddressBook size={14} />}
      loading={save.isPending}
      disabled={save.isSuccess}
      onClick={() => save.mutate()}
    >
      {t(save.isSuccess ? 'saved' : 'saveRecipient')}
    </Button>
  );
}
