import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { TabTitle } from '../../frame/app-identity.tsx';

interface Props {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

/** The card of a public page. */
export function GuestCard({ title, text, children }: Props) {
  return (
    <Card withBorder p="xl">
      <TabTitle title={title} />
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
