import { Badge, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { AccountPage as Page } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { accountQuery } from './account-query.ts';
import { BillingDetails } from './billing-details.tsx';
import { CreationState } from './creation-state.tsx';
import { PickupAddress } from './pickup-address.tsx';
import { Prices } from './prices.tsx';
import { ShopPage } from './shop-page.tsx';

export default function AccountPage() {
  const { t } = useTranslation('account');
  const query = useQuery(accountQuery);
  return (
    <>
      <PageTitle title={t('title')} text={t('text')} />
      <Loaded query={query} skeleton={<AccountSkeleton />}>
        {(page) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <Stack gap="lg">
              <CreationState page={page} />
              <PickupAddress page={page} />
              <ShopPage />
              <Slots page={page} />
            </Stack>
            <Stack gap="lg">
              <Payment page={page} />
              <BillingDetails />
              <Prices page={page} />
              <Contract page={page} />
            </Stack>
          </SimpleGrid>
        )}
      </Loaded>
    </>
  );
}

function Payment({ page: { account } }: { page: Page }) {
  const { t } = useTranslation('account');
  const { paymentMode, balance, amountDue, creditLimit, paymentStatus } = account;
  const isPrepaid = paymentMode === 'prepaid';
  return (
    <Card title={t('payment.title')}>
      <Group justify="space-between" align="flex-end">
        <div>
          <Text size="sm" c="dimmed">
            {t(isPrepaid ? 'payment.balance' : 'payment.due')}
          </Text>
          <Text fz={28} fw={650} lh={1.2}>
            <Money euros={isPrepaid ? balance : amountDue} />
          </Text>
        </div>
        <Group gap="md">
          <AnchorLink to="/account/payments">{t('payment.pay')}</AnchorLink>
          <AnchorLink to="/account/ledger">{t('payment.ledger')}</AnchorLink>
          <AnchorLink to="/account/invoices">{t('invoices.title')}</AnchorLink>
        </Group>
      </Group>
      <SimpleGrid component="dl" cols={2} mt="md" mb={0}>
        <Fact label={t('payment.mode')}>{t(`payment.modes.${paymentMode}`)}</Fact>
        <Fact label={t('payment.status')}>{t(`payment.statuses.${paymentStatus}`)}</Fact>
        {!isPrepaid && (
          <Fact label={t('payment.limit')}>
            {creditLimit === null ? t('payment.noLimit') : <Money euros={creditLimit} />}
          </Fact>
        )}
      </SimpleGrid>
    </Card>
  );
}

function Slots({ page: { account } }: { page: Page }) {
  const { t } = useTranslation('account');
  return (
    <Card title={t('slots.title')}>
      {account.timeSlots.length > 0 && (
        <Group gap="xs" mb="sm">
          {account.timeSlots.map(({ id, label }) => (
            <Badge key={id} size="lg" variant="light" tt="none" fw={500}>
              {label}
            </Badge>
          ))}
        </Group>
      )}
      <Text size="sm" c="dimmed">
        {t(account.timeSlots.length > 0 ? 'slots.text' : 'slots.none')}
      </Text>
    </Card>
  );
}

function Contract({ page: { account } }: { page: Page }) {
  const { t } = useTranslation(['account', 'common']);
  const { minute, hour, day } = account.rateLimits;
  const { number } = useFormat();
  const limits = { minute: number(minute), hour: number(hour), day: number(day) };
  return (
    <Card title={t('contract.title')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0}>
        <Fact label={t('contract.name')}>{account.name}</Fact>
        <Fact label={t('contract.email')}>{account.email}</Fact>
        <Fact label={t('contract.clientId')}>
          <Group component="span" gap={4} wrap="nowrap">
            <Text span size="sm" ff="monospace">
              {account.clientId}
            </Text>
            <CopyButton value={account.clientId} what={t('contract.clientId')} />
          </Group>
        </Fact>
        <Fact label={t('contract.clientType')}>
          {account.clientType === 'shop' ? t('contract.shop') : (account.clientType ?? t('contract.notSet'))}
        </Fact>
        <Fact label={t('contract.version')}>{account.contractVersion ?? t('contract.notSet')}</Fact>
        <Fact label={t('contract.signed')}>{t(account.contractSigned ? 'common:yes' : 'common:no')}</Fact>
        {account.isSpecialRequest && <Fact label={t('contract.agreedPickup')}>{account.agreedPickupTime ?? '—'}</Fact>}
        <Fact label={t('contract.limits')}>{t('contract.limitsText', limits)}</Fact>
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt="md">
        {t('contract.setByOperator')}
      </Text>
    </Card>
  );
}

function AccountSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Stack gap="lg">
        <CardSkeleton h={310} />
        <CardSkeleton h={200} />
        <Skeleton h={130} />
      </Stack>
      <Stack gap="lg">
        <CardSkeleton h={190} />
        <CardSkeleton h={390} />
        <CardSkeleton h={330} />
      </Stack>
    </SimpleGrid>
  );
}
