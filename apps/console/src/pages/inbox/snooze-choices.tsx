import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { timeZone } from '@navette/ui/formats';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localTimeText, readLocalTime, snoozeTimes } from './snooze-times.ts';

const LONGEST_MS = 7 * 86_400_000; // a limit of the API

/** Three usual times and a chosen one. */
export function SnoozeChoices({ why, onChosen }: { why: string; onChosen: (until: Date) => void }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const [now] = useState(() => new Date());
  const choices = snoozeTimes(now, timeZone);
  const [typed, setTyped] = useState(() => localTimeText(choices.at(-1)?.until ?? now, timeZone));
  const chosen = readLocalTime(typed, timeZone);
  const isPossible = chosen !== null && chosen > now && chosen.getTime() - now.getTime() <= LONGEST_MS;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {why}
      </Text>
      {choices.map(({ choice, until }, index) => (
        <Button
          key={choice}
          variant="default"
          justify="space-between"
          rightSection={
            <Text size="sm" c="dimmed">
              {format.dayTime(until)}
            </Text>
          }
          {...(index === 0 ? { 'data-autofocus': true } : {})}
          onClick={() => onChosen(until)}
        >
          {t(`snooze.${choice}`)}
        </Button>
      ))}
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          type="datetime-local"
          label={t('snooze.chosen')}
          style={{ flex: 1 }}
          value={typed}
          min={localTimeText(now, timeZone)}
          max={localTimeText(new Date(now.getTime() + LONGEST_MS), timeZone)}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button disabled={!isPossible} onClick={() => chosen && onChosen(chosen)}>
          {t('snooze.submit')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('snooze.hint')}
      </Text>
    </Stack>
  );
}
