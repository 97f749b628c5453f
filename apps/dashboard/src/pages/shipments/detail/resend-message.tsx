import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { type ShipmentDetail, shipmentQuery } from '../shipments-queries.ts';

interface Props {
  shipmentId: string;
  kind: ShipmentDetail['messages'][number]['kind'];
}

/** Sends a message that was sent before. The server limits how often; beyond that there is no button. */
export function ResendMessage({ shipmentId, kind }: Props) {
  const { t } = useTranslation('shipment');
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => call('resendMessage', { params: { id: shipmentId }, body: { kind } }),
    onSuccess: () => notifications.show({ message: t('resent') }),
    onError: (error) => notifications.show({ message: explain(error), color: 'red' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: shipmentQuery(shipmentId).queryKey }),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      mt={4}
      loading={resend.isPending}
      onClick={() => resend.mutate()}
      aria-label={`${t('resend')} : ${t(`messageKinds.${kind}`)}`}
    >
      {t('resend')}
    </Button>
  );
}
