import { Alert, Button, Group, Modal, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { CancelReason } from '../cancel-reason.tsx';
import { isOver, type ShipmentDetail, shipmentQuery } from '../shipments-queries.ts';

/** Cancels after a dialog that explains the consequences and asks for a reason. */
export function CancelButton({ detail: { shipment, mayCancel } }: { detail: ShipmentDetail }) {
  const { t } = useTranslation('shipment');
  const [opened, { open, close }] = useDisclosure();
  if (isOver(shipment.status)) return null;
  return (
    <>
      <Tooltip label={t('cannotCancel')} disabled={mayCancel} multiline maw={260}>
        <Button
          variant="light"
          color="red"
          onClick={mayCancel ? open : (event) => event.preventDefault()}
          data-disabled={!mayCancel}
          aria-disabled={!mayCancel}
        >
          {t('cancel')}
        </Button>
      </Tooltip>
      <Modal
        opened={opened}
        onClose={close}
        title={t('cancelTitle', { reference: shipment.referenceNumber })}
        closeButtonProps={{ 'aria-label': t('cancelKeep') }}
      >
        <CancelForm shipment={shipment} onDone={close} />
      </Modal>
    </>
  );
}

function CancelForm({ shipment, onDone }: { shipment: ShipmentDetail['shipment']; onDone: () => void }) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const price = format.money(shipment.price);
  const cancel = useMutation({
    mutationFn: () => call('cancelShipment', { params: { id: shipment._id }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      notifications.show({ message: t('cancelled', { price }) });
      onDone();
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: shipmentQuery(shipment._id).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['shipments'] }),
      ]),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    cancel.mutate();
  };
  return (
    <Stack component="form" gap="md" onSubmit={submit}>
      <Text size="sm">{t('cancelText')}</Text>
      <Text size="sm" fw={600}>
        {t('cancelRefund', { price })}
      </Text>
      <CancelReason value={reason} onChange={setReason} />
      {cancel.isError && (
        <Alert color="red" role="alert">
          {explain(cancel.error)}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onDone}>
          {t('cancelKeep')}
        </Button>
        <Button type="submit" color="red" loading={cancel.isPending} disabled={reason.trim() === ''}>
          {t('cancelConfirm')}
        </Button>
      </Group>
    </Stack>
  );
}
