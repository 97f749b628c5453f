import { Alert, Button, Grid, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Block } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import styles from '../shipments.module.css';
import { type Account, deliveryAddressFor } from './account-defaults.ts';
import { CreationBlocks } from './creation-blocks.tsx';
import { ParcelSection, RecipientSection, ReferencesSection } from './form-sections.tsx';
import { missingForQuote, toQuoteRequest } from './form-values.ts';
import { PickupSection } from './pickup-section.tsx';
import { QuotePanel } from './quote-panel.tsx';
import type { useShipmentForm } from './use-shipment-form.ts';
import { WhenSection } from './when-section.tsx';

interface Props extends Pick<ReturnType<typeof useShipmentForm>, 'form' | 'create' | 'resumed'> {
  account: Account;
  /** Reasons why the account can create no shipment at all. */
  blocks: Block[];
  onDiscard: () => void;
}

const TYPING_PAUSE_MS = 300;

export function ShipmentFormView({ form, account, blocks, create, resumed, onDiscard }: Props) {
  const { t } = useTranslation('newShipment');
  const format = useFormat();
  const explain = useExplainError();
  const setKind = (isCollection: boolean) => {
    form.setFieldValue('isCollection', isCollection);
    form.setFieldValue('deliveryAddress', deliveryAddressFor(isCollection, form.values.deliveryAddress, account));
  };
  const quoteRequest = toQuoteRequest(form.values);
  const [debouncedRequest] = useDebouncedValue(JSON.stringify(quoteRequest), TYPING_PAUSE_MS);
  const quote = useQuery({
    queryKey: ['quote', debouncedRequest],
    queryFn: () => call('quoteShipment', { body: JSON.parse(debouncedRequest) }),
    enabled: debouncedRequest !== 'null',
    placeholderData: (before) => before,
    staleTime: 30_000,
  });
  const currentQuote =
    debouncedRequest === JSON.stringify(quoteRequest) && !quote.isPlaceholderData && quote.data?.quote;
  const isBlocked = blocks.length > 0 || (currentQuote && currentQuote.obstacles.length > 0);
  const wrongFields = Object.keys(form.errors).length;

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={form.onSubmit((values) => {
        if (!create.isPending) create.mutate(values);
      })}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <CreationBlocks blocks={blocks} />
            {resumed && (
              <Alert color="gray">
                <Group justify="space-between">
                  <Text size="sm">{t('draftKept')}</Text>
                  <Button size="xs" variant="default" onClick={onDiscard}>
                    {t('discardDraft')}
                  </Button>
                </Group>
              </Alert>
            )}
            <Stack gap="xs" align="flex-start">
              <SegmentedControl
                aria-label={t('kind')}
                value={form.values.isCollection ? 'collection' : 'delivery'}
                onChange={(kind) => setKind(kind === 'collection')}
                data={[
                  { value: 'delivery', label: t('delivery') },
                  { value: 'collection', label: t('collection') },
                ]}
              />
              <Text size="sm" c="dimmed">
                {form.values.isCollection ? t('collectionHint') : t('deliveryHint')}
              </Text>
            </Stack>
            {form.values.isCollection && <PickupSection form={form} account={account} />}
            <RecipientSection form={form} />
            <ParcelSection form={form} />
            <WhenSection form={form} slots={account.timeSlots} />
            {!form.values.isCollection && <PickupSection form={form} account={account} />}
            <ReferencesSection form={form} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md" className={styles.aside ?? ''}>
            <QuotePanel
              quote={quote.data?.quote}
              error={quote.error}
              showsObstacles={blocks.length === 0}
              waitingFor={quoteRequest ? null : missingForQuote(form.values)}
              stale={quoteRequest !== null && !currentQuote && !quote.error}
            />
            {create.isError && (
              <Alert color="red" role="alert">
                {wrongFields > 0 ? t('fixFields', { count: wrongFields }) : explain(create.error)}
              </Alert>
            )}
            <div className={styles.submit}>
              <Button type="submit" size="md" fullWidth loading={create.isPending} disabled={isBlocked === true}>
                {currentQuote ? t('submitFor', { price: format.money(currentQuote.price) }) : t('submit')}
              </Button>
            </div>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}
