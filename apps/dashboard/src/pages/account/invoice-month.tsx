import { ActionIcon, Anchor, Badge, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { BillingMonth, InvoiceSummary } from '@navette/contract';
import type { Language } from '@navette/ui/language';
import { Money } from '@navette/ui/parts/money.tsx';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../api/call.ts';

/** A closed month: its invoice and credit notes, the statement, and every entry as CSV. */
export function InvoiceMonth({ month: { month, documents } }: { month: BillingMonth }) {
  const { t, i18n } = useTranslation('account');
  const language = i18n.language as Language;
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const name = format.format(new Date(`${month}-15T12:00:00Z`));
  const files = [
    { what: t('invoices.statementPdf'), href: urlOf('readStatementPdf', { params: { month } }) },
    { what: t('invoices.entries'), href: urlOf('exportStatement', { params: { month }, query: { language } }) },
  ];
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" style={{ textTransform: 'capitalize' }}>
          {name}
        </Title>
        <Group gap="xs">
          {files.map(({ what, href }) => (
            <Button
              key={what}
              component="a"
              href={href}
              download
              variant="default"
              size="xs"
              leftSection={<IconDownload size={14} stroke={1.6} />}
              aria-label={t('invoices.ofMonth', { what, month: name })}
            >
              {what}
            </Button>
          ))}
        </Group>
      </Group>
      {documents.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('invoices.noDocument')}
        </Text>
      ) : (
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {documents.map((document) => (
            <Document key={document.number} document={document} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

function Document({ document }: { document: InvoiceSummary }) {
  const { t, i18n } = useTranslation('account');
  const { number, kind, corrects, issuedOn, gross, platform } = document;
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayOf = (date: string) => day.format(new Date(`${date}T12:00:00Z`));
  const href = urlOf('readInvoicePdf', { params: { number } });
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <Box>
        <Anchor href={href} download size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
          {t(`invoices.kinds.${kind}`, { number })}
        </Anchor>
        <Text size="xs" c="dimmed">
          {t('invoices.issuedOn')} {dayOf(issuedOn)}
          {corrects && ` · ${t('invoices.corrects', { number: corrects })}`}
          {platform && ` · ${t(`invoices.platform.${platform.status ?? platform.state}`)}`}
        </Text>
      </Box>
      <Group gap="sm" wrap="nowrap">
        <Box ta="right">
          <Text size="sm" fw={600}>
            <Money euros={kind === 'invoice' ? gross : -gross} />
          </Text>
          <State document={document} dayOf={dayOf} />
        </Box>
        <ActionIcon
          visibleFrom="sm"
          component="a"
          href={href}
          download
          variant="subtle"
          aria-label={t('invoices.download', { number })}
        >
          <IconDownload size={18} stroke={1.6} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

function State({
  document: { kind, due, dueOn },
  dayOf,
}: {
  document: InvoiceSummary;
  dayOf: (date: string) => string;
}) {
  const { t } = useTranslation('account');
  if (kind === 'credit_note')
    return (
      <Badge variant="light" tt="none" miw="max-content">
        {t('invoices.credited')}
      </Badge>
    );
  if (!dueOn)
    return (
      <Badge variant="light" color="green" tt="none" miw="max-content">
        {t('invoices.settled')}
      </Badge>
    );
  return (
    <Text size="xs" c="dimmed">
      {t('invoices.due')} <Money euros={due} /> {t('invoices.dueBy', { date: dayOf(dueOn) })}
    </Text>
  );
}
