import { Alert, Button, FileButton, Group, Image, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { ShopPage as Shop } from '@navette/contract';
import { useExplainError, useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { shopPageQuery } from './account-query.ts';

/** The contact and logo that recipients see on their page. */
export function ShopPage() {
  const { t } = useTranslation('account');
  const { data } = useQuery(shopPageQuery);
  return (
    <Card title={t('shop.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('shop.text')}
      </Text>
      {data && <ShopForm shop={data.shop} />}
    </Card>
  );
}

type Change = { contactEmail?: string | null; contactPhone?: string | null; logo?: string | null };

function ShopForm({ shop }: { shop: Shop }) {
  const { t } = useTranslation('account');
  const cache = useQueryClient();
  const isAllowed = useMay()('ship');
  const [explain, fieldErrors] = [useExplainError(), useFieldErrors()];
  const form = useForm({
    initialValues: { contactEmail: shop.contactEmail ?? '', contactPhone: shop.contactPhone ?? '' },
  });
  const save = useMutation({
    mutationFn: (body: Change) => call('changeShopPage', { body }),
    onSuccess: (answer) => {
      cache.setQueryData(shopPageQuery.queryKey, answer);
      notifications.show({ message: t('shop.saved'), color: 'green' });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const upload = async (file: File | null) => {
    if (file) save.mutate({ logo: await toBase64(file) });
  };
  return (
    <form
      onSubmit={form.onSubmit(({ contactEmail, contactPhone }) =>
        save.mutate({ contactEmail: contactEmail.trim() || null, contactPhone: contactPhone.trim() || null }),
      )}
      noValidate
    >
      <Stack>
        {save.error && (
          <Alert color="red" icon={<IconAlertCircle />}>
            {form.errors.logo ? t('shop.logoHint') : explain(save.error)}
          </Alert>
        )}
        <Group>
          {shop.logo && <Image src={shop.logo} alt={t('shop.logo')} h={44} w="auto" maw={200} fit="contain" />}
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            onChange={(file) => void upload(file)}
            disabled={!isAllowed}
          >
            {(props) => (
              <Button variant="default" loading={save.isPending} {...props}>
                {t(shop.logo ? 'shop.replaceLogo' : 'shop.addLogo')}
              </Button>
            )}
          </FileButton>
          {shop.logo && isAllowed && (
            <Button variant="subtle" color="red" onClick={() => save.mutate({ logo: null })}>
              {t('shop.removeLogo')}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t('shop.logoHint')}
        </Text>
        <TextInput label={t('shop.email')} type="email" disabled={!isAllowed} {...form.getInputProps('contactEmail')} />
        <TextInput label={t('shop.phone')} type="tel" disabled={!isAllowed} {...form.getInputProps('contactPhone')} />
        {isAllowed && (
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('shop.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
