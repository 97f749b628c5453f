import { Text } from '@mantine/core';

/** The reason of an act, above its form. */
export function WhyText({ why }: { why: string | null }) {
  return why === null ? null : (
    <Text size="sm" c="dimmed">
      {why}
    </Text>
  );
}
