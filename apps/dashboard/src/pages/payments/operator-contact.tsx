import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** How to reach the operator, as a link where the device can follow it. */
export function OperatorContact({ contact }: { contact: string | null }) {
  const { t } = useTranslation('payments');
  if (contact === null) return <Text size="sm">{t('contact.unknown')}</Text>;
  const href = linkOf(contact);
  return (
    <Text size="sm">
      {t('contact.at')}{' '}
      {href ? (
        <Anchor href={href} inherit underline="always">
          {contact}
        </Anchor>
      ) : (
        contact
      )}
    </Text>
  );
}

function linkOf(contact: string): string | null {
  if (/^https?:\/\/\S+$/.test(contact)) return contact;
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return `mailto:${contact}`;
  const digits = contact.replace(/[\s.()-]/g, '');
  return /^\+?\d{6,15}$/.test(digits) ? `tel:${digits}` : null;
}
