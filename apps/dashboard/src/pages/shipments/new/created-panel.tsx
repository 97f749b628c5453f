import { Alert, Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { DashboardAnswer } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PrintLabel } from '../labels/print-label.tsx';

interface Props {
  created: DashboardAnswer<'createShipment'>;
  onAnother: () => void;
}

export function CreatedPanel({ created: { shipment, replayed }, onAnother }: Props) {
  const { t } = useTranslation('newShipment');
  const format = useFormat();
  const price = format.money(shipment.price);
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="md" ta="center">
        <ThemeIcon size={56} radius="xl" color="green" variant="light">
          <IconCheck size={30} />
        </ThemeIcon>
        <Title order={2} size="h3" tabIndex={-1} ref={(heading: HTMLElement | null) => heading?.focus()}>
          {t('createdTitle', { reference: shipment.referenceNumber })}
        </Title>
        <Text c="dimmed">{t(shipment.status === 'programmed' ? 'createdProgrammed' : 'createdText', { price })}</Text>
        {replayed && <Alert color="orange">{t('duplicate')}</Alert>}
        <Group justify="center" gap="sm">
          <PrintLabel id={shipment._id}>{t('printLabel')}</PrintLabel>
          <ButtonLink to="/shipments/$id" params={{ id: shipment._id }} variant="default">
            {t('see')}
          </ButtonLink>
          <Button variant="default" onClick={onAnother}>
            {t('another')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
