import { Table, Text, VisuallyHidden } from '@mantine/core';
import { STAFF_NEEDS, STAFF_ROLE_ALLOWS, STAFF_ROLES } from '@navette/contract/console-roles';
import { Card } from '@navette/ui/parts/card.tsx';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** The permissions of each role, from the table that the server enforces. */
export function RoleTable() {
  const { t } = useTranslation('staff');
  const { t: tLayout } = useTranslation('layout');
  const { t: tCommon } = useTranslation();
  return (
    <Card title={t('roles')} text={t('rolesText')}>
      <Table.ScrollContainer minWidth={620}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('permission')}</Table.Th>
              {STAFF_ROLES.map((role) => (
                <Table.Th key={role} ta="center">
                  {tLayout(`roles.${role}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {STAFF_NEEDS.map((need) => (
              <Table.Tr key={need}>
                <Table.Th scope="row" fw={400}>
                  <Text size="sm">{t(`needs.${need}`)}</Text>
                </Table.Th>
                {STAFF_ROLES.map((role) => (
                  <Table.Td key={role} ta="center">
                    <Allowed
                      isAllowed={STAFF_ROLE_ALLOWS[role].includes(need)}
                      yes={tCommon('yes')}
                      no={tCommon('no')}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function Allowed({ isAllowed, yes, no }: { isAllowed: boolean; yes: string; no: string }) {
  const Icon = isAllowed ? IconCheck : IconMinus;
  return (
    <>
      <Icon
        size={18}
        stroke={2}
        aria-hidden
        color={isAllowed ? 'var(--mantine-color-green-text)' : 'var(--mantine-color-dimmed)'}
      />
      <VisuallyHidden>{isAllowed ? yes : no}</VisuallyHidden>
    </>
  );
}
