import { Kbd, Modal, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './search.module.css';
import { SearchDialog } from './search-dialog.tsx';

/** The search of the whole console, in the header of every page. Ctrl-K opens it from anywhere. */
export function SearchBox() {
  const { t } = useTranslation('search');
  const { t: tCommon } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([['mod+K', open]], []); // also while a field has the focus
  return (
    <>
      <UnstyledButton className={classes.box} onClick={open} aria-keyshortcuts="Control+K">
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <Text size="sm" truncate className={classes.hint}>
          {t('hint')}
        </Text>
        <Kbd size="xs" className={classes.key} aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <Modal
        opened={opened}
        onClose={close}
        title={t('title')}
        size={680}
        yOffset="8vh"
        closeButtonProps={{ 'aria-label': tCommon('close') }}
      >
        <SearchDialog onClose={close} />
      </Modal>
    </>
  );
}
