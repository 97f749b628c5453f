import { SimpleGrid, Table, Text } from '@mantine/core';
import type { Merchant, MerchantPage } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { EditButton } from './edit-button.tsx';
import { TermsForm } from './terms-form.tsx';

/** Balance, credit and prices. */
export function MoneyCard({ merchant }: { merchant: Merchant }) {
  const { t } = useTranslation('merchant');
  const may = useMay();
  const { balance, amountDue, creditLimit, paymentMode, paymentStatus, minimumPrice, pricePerKg } = merchant;
  return (
    <Card
      title={t('money.title')}
      aside={
        may('money') &&
        !merchant.closedAt && (
          <EditButton title={t('terms.title', { name: merchant.name })}>
            {(close) => <TermsForm merchant={merchant} onDone={close} />}
          </EditButton>
        )
      }
    >
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="sm" verticalSpacing={10} m={0}>
        <Fact label={t('money.balance')}>
          <Text span fw={700} fz={22} {...(balance < 0 ? { c: 'red' } : {})}>
            <Money euros={balance} />
          </Text>
        </Fact>
        <Fact label={t('money.due')}>
          <Money euros={amountDue} />
        </Fact>
        <Fact label={t('money.creditLimit')}>
          {creditLimit === null ? t('money.noLimit') : <Money euros={creditLimit} />}
        </Fact>
        <Fact label={t('money.mode')}>{t(`money.modes.${paymentMode}`)}</Fact>
        <Fact label={t('money.status')}>{t(`paymentStatuses.${paymentStatus}`)}</Fact>
        <Fact label={t('money.minimumPrice')}>
          <Money euros={minimumPrice} />
        </Fact>
        <Fact label={t('money.pricePerKg')}>{pricePerKg === null ? '—' : <Money euros={pricePerKg} />}</Fact>
      </SimpleGrid>
      {may('money') && (
        <AnchorLink to="/invoices" search={{ account: merchant.id }} size="sm" mt="sm" display="inline-block">
          {t('money.invoices')}
        </AnchorLink>
      )}
    </Card>
  );
}

/** The latest entries of the ledger. */
export function LedgerCard({ ledger }: { ledger: MerchantPage['ledger'] }) {
  const { t } = useTranslation('merchant');
  return (
    <Card title={t('ledger.title')}>
      {ledger.length === 0 && <Text c="dimmed">{t('ledger.empty')}</Text>}
      {ledger.length > 0 && (
        <Table.ScrollContainer minWidth={520}>
          <Table verticalSpacing={6} aria-label={t('ledger.title')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('ledger.at')}</Table.Th>
                <Table.Th>{t('ledger.what')}</Table.Th>
                <Table.Th ta="right">{t('ledger.amount')}</Table.Th>
                <Table.Th ta="right">{t('ledger.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {ledger.map(({ entry, at, kind, shipment, note, amount, balanceAfter }) => (
                <Table.Tr key={entry}>
                  <Table.Td>
                    <When at={at} />
                  </Table.Td>
                  <Table.Td>
                    {t(`ledger.kinds.${kind as 'charge'}`, { defaultValue: kind })}{' '}
                    {shipment && (
                      <AnchorLink to="/shipments/$id" params={{ id: shipment.id }} size="sm">
                        {shipment.reference}
                      </AnchorLink>
                    )}
                    {note}
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money euros={amount} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money euros={balanceAfter} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  );
}
