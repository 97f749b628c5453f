import { Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { Overview } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay, useSession } from '../../session/session.ts';

/** Checklist from a new account to automated shipments. */
export function FirstSteps({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const may = useMay();
  const { account } = useSession();
  const [isHidden, setHidden] = useLocalStorage({
    key: `navette-first-steps-hidden-${account.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const { keyMade, shipmentCreated, webhookHeard } = overview.firstSteps;
  const isReady = !overview.attention.blocks.some(({ error }) => error === 'PICKUP_ADDRESS_REQUIRED');
  const isCovered = !overview.attention.blocks.some(({ error }) => error === 'INSUFFICIENT_BALANCE');
  const steps = [
    { name: 'pickup', done: isReady, to: '/account', allowed: may('ship') },
    ...(overview.paymentMode === 'prepaid'
      ? [{ name: 'balance', done: isCovered, to: '/account/payments', allowed: may('pay') } as const]
      : []),
    { name: 'shipment', done: shipmentCreated, to: '/shipments/new', allowed: may('ship') },
    { name: 'key', done: keyMade, to: '/developers/keys', allowed: may('develop') },
    { name: 'webhook', done: webhookHeard, to: '/developers/webhooks', allowed: may('develop') },
  ] as const;
  const next = steps.findIndex(({ done }) => !done);
  if (next === -1 || (isHidden && shipmentCreated)) return null;
  return (
    <Card title={t('steps.title')}>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ name, done, to, allowed }, index) => (
          <Group component="li" key={name} gap="md" wrap="nowrap" align="flex-start">
            <ThemeIcon radius="xl" size={30} color={done ? 'green' : 'indigo'} variant={done ? 'light' : 'default'}>
              {done ? <IconCheck size={18} aria-label={t('steps.done')} /> : <Text fw={600}>{index + 1}</Text>}
            </ThemeIcon>
            <div style={{ flex: 1 }}>
              <Text fw={600} {...(done ? { c: 'dimmed' } : {})}>
                {t(`steps.${name}.title`)}
              </Text>
              {!done && (
                <Text size="sm" c="dimmed">
                  {t(`steps.${name}.text`)}
                </Text>
              )}
              {!done && allowed && (
                <ButtonLink to={to} size="xs" mt="xs" variant={index === next ? 'filled' : 'default'}>
                  {t(`steps.${name}.action`)}
                </ButtonLink>
              )}
            </div>
          </Group>
        ))}
      </Stack>
      {shipmentCreated && (
        <Button variant="subtle" size="compact-sm" mt="md" onClick={() => setHidden(true)}>
          {t('steps.hide')}
        </Button>
      )}
    </Card>
  );
}
