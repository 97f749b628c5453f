import { Kbd, Modal, NavLink, Table } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconHelpCircle, IconKeyboard } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const SHORTCUTS = [
  ['Ctrl K', 'palette'],
  ['/', 'search'],
  ['n', 'newShipment'],
  ['?', 'shortcuts'],
  ['Esc', 'close'],
] as const;

const LOOK = { root: { borderRadius: 'var(--mantine-radius-md)' } };

/** Documentation and the list of keyboard shortcuts, which the question mark opens too. */
export function Help() {
  const { t, i18n } = useTranslation('layout');
  const [isOpen, { open, close }] = useDisclosure();
  useHotkeys([['shift+?', open]]);
  return (
    <>
      <NavLink
        component="a"
        href={`/docs/${i18n.language}/`}
        target="_blank"
        rel="noopener"
        label={t('help.docs')}
        leftSection={<IconHelpCircle size={18} stroke={1.6} />}
        styles={LOOK}
      />
      <NavLink
        component="button"
        type="button"
        visibleFrom="sm"
        label={t('help.shortcuts')}
        leftSection={<IconKeyboard size={18} stroke={1.6} />}
        rightSection={<Kbd size="xs">?</Kbd>}
        onClick={open}
        styles={LOOK}
      />
      <Modal opened={isOpen} onClose={close} title={t('help.shortcuts')} size="sm">
        <Table variant="vertical" layout="fixed" withRowBorders={false}>
          <Table.Tbody>
            {SHORTCUTS.map(([key, name]) => (
              <Table.Tr key={key}>
                <Table.Td w={72}>
                  <Kbd>{key}</Kbd>
                </Table.Td>
                <Table.Td>{t(`help.keys.${name}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
