import { Button, Stack, Text } from '@mantine/core';
import type { ShipmentStatus } from '@navette/contract/statuses';
import { Card } from '@navette/ui/parts/card.tsx';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { PrintLabel } from '../labels/print-label.tsx';
import styles from '../shipments.module.css';

interface Props {
  id: string;
  reference: string;
  status: ShipmentStatus;
}

export function LabelPreview({ id, reference, status }: Props) {
  const { t } = useTranslation('shipment');
  const address = urlOf('readLabel', { params: { id } });
  return (
    <Card title={t('label')}>
      {navigator.pdfViewerEnabled ? (
        <iframe
          key={status === 'cancelled' ? 'cancelled' : 'valid'} // a cancelled one is drawn with its mark
          className={styles.label ?? ''}
          src={`${address}#toolbar=0&navpanes=0&view=Fit`}
          title={t('labelPreview', { reference })}
          loading="lazy"
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('labelNoPreview')}
        </Text>
      )}
      <Stack gap="xs" mt="md">
        <PrintLabel id={id} variant={status === 'cancelled' ? 'default' : 'filled'}>
          {t('openLabel')}
        </PrintLabel>
        <Button
          component="a"
          href={address}
          download={`bordereau_${reference}.pdf`}
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {t('downloadLabel')}
        </Button>
      </Stack>
      <Text size="xs" c="dimmed" mt="xs">
        {t('labelSize')}
      </Text>
    </Card>
  );
}
