import { Kbd, Modal, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys, useOs } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExplainError } from '../api/use-explain-error.ts';
import { loadCode } from './load-code.ts';
import classes from './search-button.module.css';

export type SearchDialog = ComponentType<{ onClose: () => void }>;

interface Props {
  /** In the button. */
  hint: string;
  /** Of the dialog. */
  title: string;
  /** Loads the dialog when it is first opened. */
  load: () => Promise<{ default: SearchDialog }>;
}

/** In the header of every page: opens the search of the whole app, as Ctrl-K does from anywhere. */
export function SearchButton({ hint, title, load }: Props) {
  const { t } = useTranslation();
  const explain = useExplainError();
  const isMac = ['macos', 'ios'].includes(useOs());
  const [opened, { open, close }] = useDisclosure();
  const [Dialog, setDialog] = useState<SearchDialog>();
  const show = () => {
    loadCode(load).then(
      (code) => {
        setDialog(() => code.default);
        open(); // not earlier: an opening dialog gives the focus to its field, and a closed one gives it back
      },
      (error: unknown) => notifications.show({ color: 'red', message: explain(error) }),
    );
  };
  useHotkeys([['mod+K', show]], []); // also while a field has the focus
  return (
    <>
      <UnstyledButton className={classes.box} onClick={show} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <Text size="sm" truncate className={classes.hint}>
          {hint}
        </Text>
        <Kbd size="xs" className={classes.key} aria-hidden>
          {isMac ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      </UnstyledButton>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        size={680}
        yOffset="8vh"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {Dialog && <Dialog onClose={close} />}
      </Modal>
    </>
  );
}
