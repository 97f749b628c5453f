import { Anchor, Image, SimpleGrid, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import type { ShipmentDetail } from '../shipments-queries.ts';

/** Photos and signatures of the delivery. Absent when there are none. */
export function Proofs({ proofs }: Pick<ShipmentDetail, 'proofs'>) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  if (proofs.length === 0) return null;
  return (
    <Card title={t('proofs')}>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="md">
        {proofs.map(({ id, kind, signerName, signerRelation, takenAt }) => {
          const url = urlOf('readProof', { params: { id } });
          const name = t(`proofKinds.${kind}`);
          return (
            <figure key={id} style={{ margin: 0 }}>
              <Anchor href={url} target="_blank" rel="noopener">
                <Image src={url} alt={name} radius="sm" h={120} fit="cover" bg="white" loading="lazy" />
              </Anchor>
              <Text component="figcaption" size="xs" c="dimmed" mt={4}>
                {[name, signerName, signerRelation && t(`signerRelations.${signerRelation}`), format.dateTime(takenAt)]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </figure>
          );
        })}
      </SimpleGrid>
    </Card>
  );
}
