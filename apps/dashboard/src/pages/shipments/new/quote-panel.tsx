import { Alert, Group, Stack, Text } from '@mantine/core';
import type { DashboardAnswer } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { Card } from '@navette/ui/parts/card.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useTranslation } from 'react-i18next';
import { PriceSteps } from '../price-steps.tsx';
import { CreationBlocks } from './creation-blocks.tsx';

interface Props {
  quote: DashboardAnswer<'quoteShipment'>['quote'] | undefined;
  error: unknown;
  /** The field that is still needed for a price. */
  waitingFor: 'weight' | 'slot' | null;
  stale: boolean;
  /** False while they are shown above the form. */
  showsObstacles: boolean;
}

/** The price that will be charged. Its height is that of the longest quote, to avoid layout shift. */
export function QuotePanel({ quote, error, waitingFor, stale, showsObstacles }: Props) {
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
            {showsObstacles && <CreationBlocks blocks={quote.obstacles} />}
          </>
        )}
      </Stack>
    </Card>
  );
}
