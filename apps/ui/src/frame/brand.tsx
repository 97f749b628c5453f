import { Group, Text } from '@mantine/core';
import { useAppIdentity } from './app-identity.tsx';

export function Brand() {
  const { icon, suffix } = useAppIdentity();
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={icon} alt="" width={28} height={28} />
      <Text fw={700} fz="lg">
        Navette
        {suffix && (
          <Text span inherit fw={400} c="dimmed">
            {` ${suffix}`}
          </Text>
        )}
      </Text>
    </Group>
  );
}
