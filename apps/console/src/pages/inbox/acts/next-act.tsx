import { Button, Group, Text } from '@mantine/core';
import type { InboxEntry } from '@navette/contract';
import { INBOX_KINDS, neededFor } from '@navette/contract/console-inbox-kinds';
import { STAFF_ROLE_ALLOWS, STAFF_ROLES } from '@navette/contract/console-roles';
import { IconLock, IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { phoneOf, phoneText } from '../../../acts/phone.ts';
import { useMay } from '../../../session/session.ts';

const WIDTH = 216; // px: the longest label, so that buttons stay below each other

/** The one act that ends an entry: a button, a link to a phone number, or the roles that may do it. */
export function NextAct({ entry, onOpen }: { entry: InboxEntry; onOpen: () => void }) {
  const { t } = useTranslation('inbox');
  const { t: tLayout, i18n } = useTranslation('layout');
  const { act } = INBOX_KINDS[entry.kind];
  const needs = neededFor(entry);
  const phone = phoneOf(entry);
  if (!useMay()(needs)) {
    const roles = STAFF_ROLES.filter((role) => STAFF_ROLE_ALLOWS[role].includes(needs)).map((role) =>
      tLayout(`roles.${role}`),
    );
    return (
      <Group gap={6} wrap="nowrap" w={WIDTH} c="dimmed" title={t('notAllowed')}>
        <IconLock size={15} stroke={1.6} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="xs" lh={1.25}>
          {t('forRoles', { roles: new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(roles) })}
        </Text>
      </Group>
    );
  }
  if (phone && (act === 'call_driver' || act === 'call_merchant')) {
    return (
      <Button
        component="a"
        href={`tel:${phone}`}
        data-next-act
        size="compact-md"
        fz={13}
        px={8}
        w={WIDTH}
        leftSection={<IconPhone size={16} stroke={1.8} />}
      >
        {t(`acts.${act}`, { phone: phoneText(phone) })}
      </Button>
    );
  }
  return (
    <Button data-next-act size="compact-md" fz={13} px={8} w={WIDTH} onClick={onOpen}>
      {t(`acts.${act}`, { phone: '' })}
    </Button>
  );
}
