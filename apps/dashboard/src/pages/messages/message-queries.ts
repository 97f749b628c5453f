import type { Language } from '@navette/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type Message = Awaited<ReturnType<typeof readSettings>>['settings']['messages'][number];

const readSettings = () => call('readMessageSettings');

export const messageSettingsQuery = queryOptions({ queryKey: ['message-settings'], queryFn: readSettings });
export const messagePreviewQuery = (kind: Message['kind'], language: Language) =>
  queryOptions({
    queryKey: ['message-preview', kind, language],
    queryFn: () => call('previewMessage', { query: { kind, language } }),
  });
