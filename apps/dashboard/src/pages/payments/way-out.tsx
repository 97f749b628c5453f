import { Group, type MantineSize } from '@mantine/core';
import type { BlockSlug } from '@navette/contract';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { OperatorContact } from './operator-contact.tsx';
import { paymentsQuery } from './payment-queries.ts';

/** Reasons that money removes; the operator, or the merchant's address, removes the others. */
const PAID_AWAY = new Set<string>([
  'INSUFFICIENT_BALANCE',
  'PAYMENT_REQUIRED',
  'ACCOUNT_SUSPENDED',
] satisfies BlockSlug[]);
const BY_OPERATOR = new Set<string>(['CLIENT_TYPE_REQUIRED', 'CONTRACT_SIGNATURE_REQUIRED'] satisfies BlockSlug[]);

/** The remedy for reasons that block creations: pay, add the address, or contact the operator. */
export function WayOut({ blocks, size = 'xs' }: { blocks: readonly { error: string }[]; size?: MantineSize }) {
  const { t } = useTranslation('payments');
  const { data } = useQuery(paymentsQuery);
  if (!data) return null;
  const isAmong = (slugs: Set<string>) => blocks.some(({ error }) => slugs.has(error));
  const canPay = data.online !== null || data.transfer !== null;
  const needsOperator = isAmong(BY_OPERATOR) || (isAmong(PAID_AWAY) && !canPay);
  return (
    <>
      <Group gap="sm" mt="xs">
        {isAmong(PAID_AWAY) && canPay && (
          <ButtonLink to="/account/payments" size={size}>
            {t('wayOut.pay')}
          </ButtonLink>
        )}
        {isAmong(new Set(['PICKUP_ADDRESS_REQUIRED'])) && (
          <ButtonLink to="/account" size={size}>
            {t('wayOut.address')}
          </ButtonLink>
        )}
      </Group>
      {needsOperator && <OperatorContact contact={data.contact} />}
    </>
  );
}
