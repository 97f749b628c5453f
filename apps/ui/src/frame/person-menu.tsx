import { Avatar, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconChevronUp, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePersonApi } from '../session/person-api.ts';

export function PersonMenu({ role }: { role: string }) {
  const { t } = useTranslation('layout');
  const api = usePersonApi();
  const { name } = api.usePerson();
  const cache = useQueryClient();
  const router = useRouter();
  const signOut = async () => {
    await api.signOut().catch(() => {}); // a session that has already ended is no error
    cache.clear();
    sessionStorage.clear(); // a draft contains personal data
    await router.navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="top-start" width="target" withinPortal>
      <Menu.Target>
        <UnstyledButton w="100%" p="xs">
          <Group wrap="nowrap" gap="sm">
            <Avatar name={name} color="indigo" radius="xl" size={34} />
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text size="sm" fw={500} truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {role}
              </Text>
            </div>
            <IconChevronUp size={16} stroke={1.6} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          renderRoot={(props) => <Link to="/profile" {...props} />}
          leftSection={<IconUserCircle size={16} stroke={1.6} />}
        >
          {t('profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
