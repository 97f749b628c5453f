import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

/** The one card of a page for whoever is not signed in. */
export function GuestCard({ title, text, children }: Props) {
  return (
    <Card withBorder p="xl">
      <title>{`${title} · Navette`}</title>
      <Stack gap="lg">
        <Stack gap={6}>
          <Title order={1} size="h3">
            {title}
          </Title>
          {text && <Text c="dimmed">{text}</Text>}
        </Stack>
        {children}
      </Stack>
    </Card>
  );
}
