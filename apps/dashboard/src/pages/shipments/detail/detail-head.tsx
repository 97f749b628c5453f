import { Badge, Button, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { BackLink, ButtonLink } from '@navette/ui/parts/links.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { IconCopy, IconPrinter, IconRepeat } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { useMay } from '../../../session/session.ts';
import type { ShipmentDetail } from '../shipments-queries.ts';
import { CancelButton } from './cancel-button.tsx';

export function DetailHead({ detail }: { detail: ShipmentDetail }) {
  const { t } = useTranslation(['shipment', 'shipments']);
  const { shipment } = detail;
  const order = shipment.externalReference.orderId;
  const may = useMay();
  const navigate = useNavigate();
  useHotkeys([['n', () => may('ship') && void navigate({ to: '/shipments/new' })]]);
  return (
    <>
      <BackLink to="/shipments">{t('back')}</BackLink>
      <PageTitle
        title={t('title', { reference: shipment.referenceNumber })}
        text={
          <Group component="span" gap="xs">
            <StatusBadge status={shipment.status} />
            {shipment.isCollection && (
              <Badge variant="outline" color="gray" tt="none">
                {t('collection', { ns: 'shipments' })}
              </Badge>
            )}
            {order && (
              <Text component="span" c="dimmed">
                {t('order', { order })}
              </Text>
            )}
          </Group>
        }
      >
        {detail.personalDataErasedAt === null && (
          <Button
            hiddenFrom="md" // beside the label's preview there is one
            component="a"
            href={urlOf('readLabel', { params: { id: shipment._id } })}
            target="_blank"
            rel="noopener"
            variant="default"
            leftSection={<IconPrinter size={16} />}
          >
            {t('label')}
          </Button>
        )}
        {may('ship') && detail.personalDataErasedAt === null && (
          <>
            <ButtonLink
              to="/shipments/new"
              search={{ copy: shipment._id }}
              variant="default"
              leftSection={<IconCopy size={16} />}
            >
              {t('duplicate')}
            </ButtonLink>
            <ButtonLink
              to="/recurring/new"
              search={{ copy: shipment._id }}
              variant="default"
              leftSection={<IconRepeat size={16} />}
            >
              {t('repeat')}
            </ButtonLink>
          </>
        )}
        {may('ship') && <CancelButton detail={detail} />}
      </PageTitle>
    </>
  );
}
