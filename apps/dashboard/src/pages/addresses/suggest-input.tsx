import { Combobox, Text, TextInput, type TextInputProps, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

const TYPING_PAUSE_MS = 250;

interface Props<S> extends Omit<TextInputProps, 'onChange'> {
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void;
  /** Distinguishes the answers to the same text. */
  about: string;
  ask: (text: string) => Promise<S[]>;
  /** Fewer characters are not asked for. */
  shortest: number;
  present: (suggestion: S) => { title: string; detail: string };
  onPick: (suggestion: S) => void;
}

/**
 * A text field that suggests values while somebody types. Arrows choose, Enter takes, Escape closes; typing on ignores
 * them. Nothing is suggested for text that was there before.
 */
export function SuggestInput<S>({ about, ask, shortest, present, onPick, onChange, ...input }: Props<S>) {
  const { t } = useTranslation('addresses');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const { data: found = [] } = useQuery({
    queryKey: ['suggestions', about, text],
    queryFn: () => ask(text),
    enabled: text.trim().length >= shortest,
    staleTime: 60_000,
    retry: false,
  });
  const shown = typed.trim().length >= shortest ? found : [];
  const pick = (index: string) => {
    const suggestion = shown[Number(index)];
    combobox.closeDropdown();
    setTyped('');
    if (suggestion !== undefined) onPick(suggestion);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={pick}>
      <Combobox.Target>
        <TextInput
          autoComplete="off"
          {...input}
          onChange={(event) => {
            onChange?.(event);
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={shown.length === 0}>
        <Combobox.Options aria-label={t('suggestions')}>
          {shown.map((suggestion, index) => {
            const { title, detail } = present(suggestion);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              <Combobox.Option key={index} value={String(index)}>
                <Text size="sm">{title}</Text>
                {detail && (
                  <Text size="xs" c="dimmed">
                    {detail}
                  </Text>
                )}
              </Combobox.Option>
            );
          })}
        </Combobox.Options>
      </Combobox.Dropdown>
      <VisuallyHidden role="status">
        {combobox.dropdownOpened && shown.length > 0 && t('suggested', { count: shown.length })}
      </VisuallyHidden>
    </Combobox>
  );
}
