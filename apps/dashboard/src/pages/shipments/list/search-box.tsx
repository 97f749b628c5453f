import { Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const TYPING_PAUSE_MS = 250;

interface Props {
  initial: string;
  onSearch: (text: string) => void;
  /** Shows the keyboard shortcut; false on a phone. */
  showsShortcut: boolean;
}

export function SearchBox({ initial, onSearch, showsShortcut }: Props) {
  const { t } = useTranslation('shipments');
  const [text, setText] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(onSearch, TYPING_PAUSE_MS);
  const focus = () => input.current?.select();
  useHotkeys([
    ['/', focus],
    ['shift+/', focus], // French keyboards type the slash with shift
  ]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={t('searchLabel')}
      placeholder={t('searchHint')}
      leftSection={<IconSearch size={16} />}
      rightSection={showsShortcut && !text && <Kbd>/</Kbd>}
      maxLength={100}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value);
      }}
      style={{ flex: '1 1 260px' }}
    />
  );
}
