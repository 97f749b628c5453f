import { Alert, Button, NumberInput, Select, SimpleGrid, Table, Text, TextInput } from '@mantine/core';
import type { Quote, QuoteRequest } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';

/** The price that this merchant would pay now, by the computation that charges shipments. Creates nothing. */
export function PriceSimulation({ accountId, slots }: { accountId: string; slots: string[] }) {
  const { t, i18n } = useTranslation('merchant');
  const [weight, setWeight] = useState<number | string>(2);
  const [date, setDate] = useState('');
  const [typedSlot, setTypedSlot] = useState('');
  const quote = useMutation({
    mutationFn: (body: QuoteRequest) => call('quoteForMerchant', { params: { id: accountId }, body }),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const schedule = date && typedSlot ? { scheduledDate: date, timeSlot: typedSlot } : {};
    quote.mutate({ weight: Number(weight), ...schedule });
  };
  const slotLabel = t('simulation.slot');
  return (
    <Card title={t('simulation.title')} text={t('simulation.text')}>
      <Form onSubmit={onSubmit}>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput
            label={t('simulation.weight')}
            required
            min={0.01}
            max={1000}
            decimalScale={3}
            decimalSeparator={i18n.language === 'fr' ? ',' : '.'}
            allowedDecimalSeparators={['.', ',']}
            value={weight}
            onChange={setWeight}
          />
          <TextInput
            type="date"
            label={t('simulation.date')}
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
          {slots.length > 0 ? (
            <Select
              label={slotLabel}
              data={slots}
              clearable
              value={typedSlot || null}
              onChange={(slot) => setTypedSlot(slot ?? '')}
            />
          ) : (
            <TextInput
              label={slotLabel}
              placeholder="14h-16h"
              value={typedSlot}
              onChange={(event) => setTypedSlot(event.currentTarget.value)}
            />
          )}
        </SimpleGrid>
        <Button type="submit" variant="default" loading={quote.isPending}>
          {t('simulation.submit')}
        </Button>
        <FormError error={quote.error} />
        {quote.data && <Result quote={quote.data.quote} />}
      </Form>
    </Card>
  );
}

function Result({ quote: { price, steps, obstacles } }: { quote: Quote }) {
  const { t } = useTranslation('merchant');
  return (
    <div aria-live="polite">
      <Table verticalSpacing={4} withRowBorders={false}>
        <Table.Tbody>
          {steps.map(({ step, amount }) => (
            <Table.Tr key={step}>
              <Table.Td>{t(`simulation.steps.${step}`)}</Table.Td>
              <Table.Td ta="right">
                <Money euros={amount} />
              </Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td fw={700}>{t('simulation.price')}</Table.Td>
            <Table.Td ta="right" fw={700}>
              <Money euros={price} />
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      {obstacles.length > 0 && (
        <Alert color="orange" variant="light" title={t('simulation.refused')} mt="sm">
          {obstacles.map(({ error, message }) => (
            <Text key={error} size="sm">
              {t(`simulation.obstacles.${error as 'ACCOUNT_SUSPENDED'}`, { defaultValue: message })}
            </Text>
          ))}
        </Alert>
      )}
    </div>
  );
}
