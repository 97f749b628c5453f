import { Center, Container, Group, Stack } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Brand } from './brand.tsx';
import { ColourSchemeSwitch } from './colour-scheme-switch.tsx';
import { LanguageSwitch } from './language-switch.tsx';

/** Layout of public pages: one centred card, no navigation. */
export function GuestLayout() {
  return (
    <Center mih="100dvh" p="md">
      <Container size={440} w="100%" p={0}>
        <Stack gap="xl">
          <Group justify="space-between">
            <Brand />
            <Group gap="xs">
              <LanguageSwitch />
              <ColourSchemeSwitch />
            </Group>
          </Group>
          <main>
            <Outlet />
          </main>
        </Stack>
      </Container>
    </Center>
  );
}
