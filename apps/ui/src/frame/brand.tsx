import { Group, Text } from '@mantine/core';
import { useAppIdentity } from './app-identity.tsx';

/** On a phone, the header has room for the icon only. */
export function Brand({ isShort = false }: { isShort?: boolean }) {
  const { icon, suffix } = useAppIdentity();
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={icon} alt="" width={28} height={28} />
      <Text fw={700} fz="lg" {...(isShort ? { visibleFrom: 'xs' as const } : {})}>
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
