import { Alert, Button, Grid, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useExplainError } from '../../../api/use-explain-error.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import styles from '../shipments.module.css';
import { ParcelSection, RecipientSection, ReferencesSection } from './form-sections.tsx';
import { asQuoteRequest, missingForQuote } from './form-values.ts';
import { PickupSection } from './pickup-section.tsx';
import { QuotePanel } from './quote-panel.tsx';
import { useAccountDefaults } from './use-account-defaults.ts';
import type { useShipmentForm } from './use-shipment-form.ts';
import { WhenSection } from './when-section.tsx';

interface Props extends Pick<ReturnType<typeof useShipmentForm>, 'form' | 'create' | 'resumed'> {
  onDiscard: () => void;
}

const TYPING_PAUSE_MS = 300;

export function ShipmentFormView({ form, create, resumed, onDiscard }: Props) {
  const { t } = useTranslation('newShipment');
  const format = useFormat();
  const explain = useExplainError();
  const { account, setKind } = useAccountDefaults(form);
  const wanted = asQuoteRequest(form.values);
  const [asked] = useDebouncedValue(JSON.stringify(wanted), TYPING_PAUSE_MS);
  const quote = useQuery({
    queryKey: ['quote', asked],
    queryFn: () => call('quoteShipment', { body: JSON.parse(asked) }),
    enabled: asked !== 'null',
    placeholderData: (before) => before,
    staleTime: 30_000,
  });
  const current = asked === JSON.stringify(wanted) && !quote.isPlaceholderData && quote.data?.quote;
  const wrongFields = Object.keys(form.errors).length;

  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!create.isPending) create.mutate(values);
      })}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
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
            <WhenSection form={form} slots={account?.timeSlots ?? []} />
            {!form.values.isCollection && <PickupSection form={form} account={account} />}
            <ReferencesSection form={form} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md" className={styles.aside ?? ''}>
            <QuotePanel
              quote={quote.data?.quote}
              error={quote.error}
              waitingFor={wanted ? null : missingForQuote(form.values)}
              stale={wanted !== null && !current && !quote.error}
            />
            {create.isError && (
              <Alert color="red" role="alert">
                {wrongFields > 0 ? t('fixFields', { count: wrongFields }) : explain(create.error)}
              </Alert>
            )}
            <Button type="submit" size="md" loading={create.isPending}>
              {current ? t('submitFor', { price: format.money(current.price) }) : t('submit')}
            </Button>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}
