import { Code, Table, Text, Tooltip } from '@mantine/core';
import type { OperatorAct } from '@navette/contract';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { useActName } from './use-act-name.ts';

/** Entries of the log, newest first, with the start of the hash that chains them. */
export function ActTable({ acts }: { acts: OperatorAct[] }) {
  const { t } = useTranslation('log');
  return (
    <Table.ScrollContainer minWidth={880} tabIndex={0} role="region" aria-label={t('title')}>
      <Table verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={80}>{t('number')}</Table.Th>
            <Table.Th w={170}>{t('at')}</Table.Th>
            <Table.Th w={200}>{t('actor')}</Table.Th>
            <Table.Th>{t('act')}</Table.Th>
            <Table.Th>{t('reason')}</Table.Th>
            <Table.Th w={120}>{t('hash')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {acts.map((act) => (
            <ActRow key={act.number} act={act} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ActRow({ act: { number, at, actor, act, subject, reason, details, hash } }: { act: OperatorAct }) {
  const { t } = useTranslation('log');
  const actName = useActName();
  const facts = Object.entries(details).filter(([, value]) => value !== null);
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>{number}</Table.Td>
      <Table.Td>
        <When at={at} as="dateTimeSeconds" />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <bdi>{actor.kind === 'unknown' ? t('unknownActor') : actor.name}</bdi>
        {actor.kind === 'cli' && (
          <Text size="xs" c="dimmed">
            {t('commandLine')}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={550}>
          {actName(act)}
        </Text>
        {subject && (
          <AnchorLink to="/log" search={{ subjectId: subject.id }} size="sm" title={t('sameSubject')}>
            <bdi>{subject.title}</bdi>
          </AnchorLink>
        )}
        {facts.length > 0 && (
          <Text size="xs" c="dimmed">
            {facts.map(([field, value]) => `${field}: ${value}`).join(' · ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{reason}</Table.Td>
      <Table.Td>
        <Tooltip label={hash} withArrow multiline maw={360}>
          <Code>{hash.slice(0, 10)}</Code>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}
