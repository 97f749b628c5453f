import { Button, Text, Textarea } from '@mantine/core';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Resolves an entry without its next act: the note says how. */
export function ResolveForm({ why, onResolve }: { why: string; onResolve: (note: string) => void }) {
  const { t } = useTranslation('inbox');
  const [note, setNote] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onResolve(note.trim());
  };
  return (
    <Form onSubmit={onSubmit}>
      <Text size="sm" c="dimmed">
        {why}
      </Text>
      <Textarea
        label={t('resolve.note')}
        description={t('resolve.hint')}
        maxLength={500}
        minRows={3}
        autosize
        data-autofocus
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onResolve(note.trim());
        }}
      />
      <Button type="submit">{t('resolve.submit')}</Button>
    </Form>
  );
}
