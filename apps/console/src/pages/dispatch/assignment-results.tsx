import { Button, Stack, Text } from '@mantine/core';
import type { AssignmentResult } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { IconBan, IconCircleCheck, IconUserExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useActName } from '../log/use-act-name.ts';
import classes from './dispatch.module.css';

interface Props {
  results: AssignmentResult[];
  act: 'assign' | 'undo';
  onClose: () => void;
}

const LOOKS = {
  done: { icon: IconCircleCheck, colour: 'green' },
  changed: { icon: IconUserExclamation, colour: 'orange' },
  refused: { icon: IconBan, colour: 'red' },
};

/** The result of each row: done, changed by somebody else first, or refused. */
export function AssignmentResults({ results, act, onClose }: Props) {
  const { t } = useTranslation('dispatch');
  const { t: tCommon } = useTranslation();
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  return (
    <Stack>
      <Text role="alert" fw={600}>
        {t(`results.${act}`, { done, count: results.length })}
      </Text>
      <ul className={classes.rows} aria-label={t('results.rows')}>
        {results.map((result) => (
          <ResultLine key={result.shipmentId} result={result} act={act} />
        ))}
      </ul>
      <Button variant="default" data-autofocus autoFocus onClick={onClose}>
        {tCommon('close')}
      </Button>
    </Stack>
  );
}

function ResultLine({ result, act }: { result: AssignmentResult; act: Props['act'] }) {
  const { t } = useTranslation('dispatch');
  const { t: tCommon } = useTranslation();
  const { t: tInbox } = useTranslation('inbox');
  const format = useFormat();
  const actName = useActName();
  const { outcome, refusal, conflict, shipment, shipmentId } = result;
  const { icon: Icon, colour } = LOOKS[outcome];
  const status = shipment ? tCommon(`statuses.${shipment.status}`) : '';
  const now = shipment?.driver ? t('results.nowWith', { status, driver: shipment.driver.name }) : status;
  const who = conflict?.by ? tInbox('conflict.by', { by: conflict.by }) : tInbox('conflict.somebody');
  const when = conflict?.at ? tInbox('conflict.at', { time: format.time(conflict.at) }) : '';
  const what = conflict?.change ? tInbox('conflict.change', { change: actName(conflict.change) }) : '';
  const texts = {
    done:
      act === 'undo' ? t('results.undone', { now }) : t('results.assigned', { driver: shipment?.driver?.name ?? '' }),
    changed: `${who}${when}${what} ${t('results.now', { now })}`,
    refused: refusal ? t(`refusals.${refusal}`, { status }) : '',
  };
  return (
    <li className={classes.line}>
      <Icon size={16} color={`var(--mantine-color-${colour}-6)`} aria-hidden />
      <Text size="sm" className={classes.lineText}>
        <AnchorLink to="/shipments/$id" params={{ id: shipmentId }} size="sm" fw={600} underline="always">
          {shipment?.reference ?? shipmentId}
        </AnchorLink>{' '}
        {texts[outcome]}
      </Text>
    </li>
  );
}
