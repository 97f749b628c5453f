import { Checkbox, Group, Stack, Textarea } from '@mantine/core';
import type { DashboardKey } from '@navette/contract';
import { KEY_RESOURCES, type KeyResource } from '@navette/contract/key-resources';
import { useTranslation } from 'react-i18next';

export interface NarrowingValues {
  /** One per line. */
  networks: string;
  resources: string[];
}

export const narrowingOf = ({
  networks,
  resources,
}: Pick<DashboardKey, 'networks' | 'resources'>): NarrowingValues => ({
  networks: networks?.join('\n') ?? '',
  resources: resources ?? [],
});

/** Nothing chosen means no restriction. */
export const toNarrowing = ({ networks, resources }: NarrowingValues) => ({
  networks: networks.split(/[\s,;]+/).filter(Boolean),
  resources: resources as KeyResource[],
});

interface Props {
  value: NarrowingValues;
  onChange: (value: NarrowingValues) => void;
  networksError: string | null;
}

/** Addresses that a key works from, and parts of the API that it may call. */
export function NarrowingFields({ value, onChange, networksError }: Props) {
  const { t } = useTranslation('developers');
  return (
    <Stack>
      <Checkbox.Group
        label={t('keys.resources')}
        description={t('keys.resourcesText')}
        value={value.resources}
        onChange={(resources) => onChange({ ...value, resources })}
      >
        <Group gap="md" mt="xs">
          {KEY_RESOURCES.map((resource) => (
            <Checkbox key={resource} value={resource} label={t(`keys.resource.${resource}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Textarea
        label={t('keys.networks')}
        description={t('keys.networksText')}
        placeholder={'203.0.113.7\n198.51.100.0/24'}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1_000}
        error={networksError}
        value={value.networks}
        onChange={({ currentTarget }) => onChange({ ...value, networks: currentTarget.value })}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </Stack>
  );
}
