import { Button, Group, Text } from '@mantine/core';
import type { ConsolePayment } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';
import { ReasonForm } from '../../acts/reason-form.tsx';
import { call } from '../../api/call.ts';

interface Props {
  payment: ConsolePayment;
  /** Reads the list again. */
  onDecided: () => void;
}

/** The received amount, and the two ways out of the review, each with a reason. */
export function ReviewDecision({ payment, onDecided }: Props) {
  const { t } = useTranslation('payments');
  const { money } = useFormat();
  const [decision, setDecision] = useState<'settle' | 'reject' | null>(null);
  const { id, merchant, amount, received } = payment;
  if (!received) return null;
  const isEuro = received.currency === 'EUR';
  const amounts = {
    received: isEuro ? money(received.amount) : `${received.amount} ${received.currency}`,
    asked: money(amount),
    merchant: merchant.name,
  };
  return (
    <>
      <Text size="xs" mt={4}>
        {t('review.received', amounts)}
      </Text>
      <Group gap="xs" mt={6}>
        {isEuro && (
          <Button size="compact-xs" onClick={() => setDecision('settle')}>
            {t('review.settle.open', amounts)}
          </Button>
        )}
        <Button size="compact-xs" variant="default" onClick={() => setDecision('reject')}>
          {t('reject')}
        </Button>
      </Group>
      {decision && (
        <ActFrame title={t(`review.${decision}.title`, amounts)} isWide={false} onClose={() => setDecision(null)}>
          <ReasonForm
            lines={[t(`review.${decision}.outcome`, amounts), t(`review.${decision}.next`)]}
            submit={t(`review.${decision}.submit`)}
            isRed={decision === 'reject'}
            act={async (reason) => {
              const body = { approve: decision === 'settle', received: received.amount, reason };
              await call('decideReview', { params: { id }, body });
              onDecided();
            }}
            done={t(`review.${decision}.done`)}
            onDone={() => setDecision(null)}
          />
        </ActFrame>
      )}
    </>
  );
}
