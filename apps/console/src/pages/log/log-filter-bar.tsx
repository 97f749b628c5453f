import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { staffQuery } from '../staff/staff-query.ts';
import type { LogFilter } from './log-filter.ts';
import { useActName } from './use-act-name.ts';

/** Filters by person and act; a subject is filtered by the link of an entry. */
export function LogFilterBar({ filter }: { filter: LogFilter }) {
  const { t, i18n } = useTranslation('log');
  const actName = useActName();
  const navigate = useNavigate();
  const { data } = useQuery(staffQuery);
  const people = (data?.staff ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const known = Object.keys(i18n.getResourceBundle(i18n.language, 'log').acts).map((key) => key.replace('_', '.'));
  const acts = known.map((act) => ({ value: act, label: actName(act) }));
  const change = (field: keyof LogFilter, value: string | null) => {
    const { [field]: _before, ...others } = filter;
    void navigate({ to: '/log', search: value ? { ...others, [field]: value } : others });
  };
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={t('actor')}
        placeholder={t('everybody')}
        data={people}
        value={filter.staffId ?? null}
        onChange={(value) => change('staffId', value)}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t('clear') }}
        w={240}
      />
      <Select
        label={t('act')}
        placeholder={t('everyAct')}
        data={acts.toSorted((a, b) => a.label.localeCompare(b.label))}
        value={filter.act ?? null}
        onChange={(value) => change('act', value)}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t('clear') }}
        w={300}
      />
      {filter.subjectId && (
        <Button variant="light" onClick={() => change('subjectId', null)}>
          {t('oneSubject')}
        </Button>
      )}
    </Group>
  );
}
