import { Alert, Badge, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Payment, Payments } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconCreditCard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AutomaticTopUp } from './automatic-top-up.tsx';
import { OperatorContact } from './operator-contact.tsx';
import { PaymentOutcome } from './payment-outcome.tsx';
import { paymentsQuery, STATE_COLOURS } from './payment-queries.ts';
import { TopUpForm } from './top-up-form.tsx';

const route = getRouteApi('/member/account/payments');

/** How to pay, and what became of the latest payments. Stripe's page leads back here. */
export default function PaymentsPage() {
  const { t } = useTranslation('payments');
  const { payment, back } = route.useSearch();
  const query = useQuery(paymentsQuery);
  return (
    <>
      <PageTitle title={t('title')} text={t('text')} />
      {payment && <PaymentOutcome id={payment} back={back} />}
      <Loaded query={query} skeleton={<CardSkeleton h={420} />}>
        {(page) => (
          <Stack gap="lg">
            <Ways page={page} />
            {page.online && (
              <AutomaticTopUp key={page.automatic?.state} limits={page.online} automatic={page.automatic} />
            )}
            <Latest payments={page.payments} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Ways({ page: { online, transfer, contact } }: { page: Payments }) {
  const { t } = useTranslation('payments');
  if (!online && !transfer) {
    return (
      <Alert title={t('noWay')}>
        <OperatorContact contact={contact} />
      </Alert>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: online && transfer ? 2 : 1 }} spacing="lg">
      {online && <TopUpForm limits={online} />}
      {transfer && <Transfer transfer={transfer} />}
    </SimpleGrid>
  );
}

function Transfer({
  transfer: { beneficiary, iban, bic, reference },
}: {
  transfer: NonNullable<Payments['transfer']>;
}) {
  const { t } = useTranslation('payments');
  const rows = [
    { name: 'reference', shown: reference, copied: reference },
    { name: 'iban', shown: iban.replace(/(.{4})(?=.)/g, '$1 '), copied: iban },
    ...(bic ? [{ name: 'bic' as const, shown: bic, copied: bic }] : []),
  ] as const;
  return (
    <Card title={t('transfer.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('transfer.text')}
      </Text>
      <Stack component="dl" gap="sm" m={0}>
        <Fact label={t('transfer.beneficiary')}>{beneficiary}</Fact>
        {rows.map(({ name, shown, copied }) => (
          <Fact key={name} label={t(`transfer.${name}`)}>
            <Group component="span" gap={4} wrap="nowrap">
              <Text span ff="monospace" fw={name === 'reference' ? 650 : 400} style={{ overflowWrap: 'anywhere' }}>
                {shown}
              </Text>
              <CopyButton value={copied} what={t(`transfer.${name}`)} />
            </Group>
          </Fact>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" mt="md">
        {t('transfer.delay')}
      </Text>
    </Card>
  );
}

function Latest({ payments }: { payments: readonly Payment[] }) {
  const { t } = useTranslation('payments');
  if (payments.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState icon={IconCreditCard} title={t('emptyTitle')} text={t('emptyText')} />
      </Paper>
    );
  }
  return (
    <Card title={t('latest')}>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {payments.map((payment) => (
          <Group component="li" key={payment.id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={550}>
                {t(`methods.${payment.method}`)}
              </Text>
              <Text size="xs" c="dimmed">
                <When at={payment.createdAt} />
              </Text>
              {payment.refunded > 0 && (
                <Text size="xs">
                  {t('refunded')} <Money euros={payment.refunded} />
                </Text>
              )}
            </div>
            <Stack gap={4} align="flex-end">
              <Text size="sm" fw={600}>
                <Money euros={payment.amount} />
              </Text>
              <Badge
                variant={payment.status === 'open' ? 'outline' : 'light'}
                color={STATE_COLOURS[payment.status]}
                tt="none"
                miw="max-content"
              >
                {t(`states.${payment.status}`)}
              </Badge>
            </Stack>
          </Group>
        ))}
      </Stack>
      <AnchorLink to="/account/ledger" size="sm" mt="md" display="inline-block">
        {t('seeLedger')}
      </AnchorLink>
    </Card>
  );
}
