import { Group, Stack, Text } from '@mantine/core';
import type { DashboardAnswer } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Money } from '@navette/ui/parts/money.tsx';
import { useTranslation } from 'react-i18next';

export type PriceStep = DashboardAnswer<'quoteShipment'>['quote']['steps'][number];

/** Breakdown of a price, with the total that is charged. */
export function PriceSteps({ steps, total }: { steps: readonly PriceStep[]; total: number }) {
  const { t } = useTranslation('shipments');
  const format = useFormat();
  const words = ({ step, weightKg = 0, pricePerKg = 0, includedKg = 0, least = 0 }: PriceStep) =>
    t(`priceSteps.${step}`, {
      weight: format.number(weightKg),
      perKg: format.money(pricePerKg),
      included: format.number(includedKg),
      least: format.money(least),
    });
  return (
    <Stack gap={6}>
      {steps.map((step) => (
        <Group key={step.step} justify="space-between" wrap="nowrap" align="flex-start" gap="md">
          <Text size="sm" c="dimmed">
            {words(step)}
          </Text>
          <Text size="sm">
            <Money euros={step.amount} />
          </Text>
        </Group>
      ))}
      <Group
        justify="space-between"
        wrap="nowrap"
        pt={6}
        style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
      >
        <Text fw={600}>{t('total')}</Text>
        <Text fz="xl" fw={650}>
          <Money euros={total} />
        </Text>
      </Group>
    </Stack>
  );
}
