import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { SavedAddress } from './address-queries.ts';

export function DeleteAddress({ address, onClose }: { address: SavedAddress; onClose: () => void }) {
  const { t } = useTranslation('addresses');
  const common = useTranslation().t;
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => call('deleteAddress', { params: { id: address.id } }),
    onSuccess: () => notifications.show({ message: t('deleted') }),
    onError: (error) => notifications.show({ color: 'red', message: explain(error) }),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['addresses'] });
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deleteTitle', { name: address.recipientName })}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Stack>
        <Text size="sm">{t('deleteText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button color="red" loading={deleting.isPending} onClick={() => deleting.mutate()}>
            {t('delete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
