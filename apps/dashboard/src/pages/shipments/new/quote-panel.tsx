import { Alert, Group, Stack, Text } from '@mantine/core';
import type { DashboardAnswer } from '@navette/contract';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { useExplainError } from '../../../api/use-explain-error.ts';
import { Card } from '../../../shared/card.tsx';
import { Money } from '../../../shared/money.tsx';
import { PriceSteps } from '../price-steps.tsx';
import { Obstacles } from './obstacles.tsx';

interface Props {
  quote: DashboardAnswer<'quoteShipment'>['quote'] | undefined;
  error: unknown;
  /** What has to be typed first for there to be a price. */
  waitingFor: 'weight' | 'slot' | null;
  stale: boolean;
}

/** The price as it will be charged. As tall as its longest answer from the start, so that nothing jumps. */
export function QuotePanel({ quote, error, waitingFor, stale }: Props) {
  const { t } = useTranslation('newShipment');
  const explain = useExplainError();
  const refused = error instanceof ApiError && error.fieldErrors.length === 0;
  return (
    <Card title={t('price')}>
      <Stack gap="md" mih={168} aria-live="polite" style={{ opacity: stale ? 0.6 : 1 }}>
        {waitingFor && (
          <Text size="sm" c="dimmed">
            {t(`priceNeeds.${waitingFor}`)}
          </Text>
        )}
        {!waitingFor && Boolean(error) && <Alert color="red">{refused ? explain(error) : t('priceFailed')}</Alert>}
        {!waitingFor && !error && quote && (
          <>
            <PriceSteps steps={quote.steps} total={quote.price} />
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" c="dimmed">
                {t('balanceAfter')}
              </Text>
              <Text size="sm">
                <Money euros={quote.balanceAfter} />
              </Text>
            </Group>
            <Obstacles obstacles={quote.obstacles} />
          </>
        )}
      </Stack>
    </Card>
  );
}
