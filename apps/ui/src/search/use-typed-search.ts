import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const TYPED_MS = 150;
const SHORTEST = 2; // characters

/** Searches while a person types. The previous results stay until the next ones have arrived. */
export function useTypedSearch<Result>(name: string, search: (text: string) => Promise<readonly Result[]>) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), TYPED_MS);
  const isLong = text.length >= SHORTEST && typed.trim().length >= SHORTEST;
  const query = useQuery({
    queryKey: [name, text],
    queryFn: () => search(text),
    enabled: isLong,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return {
    typed,
    setTyped,
    text,
    /** Long enough to be searched. */
    isLong,
    results: isLong ? (query.data ?? []) : [],
    /** The results belong to the text that is typed. */
    isCurrent: text === typed.trim() && !query.isPlaceholderData && query.isSuccess,
    isBusy: query.isFetching,
    error: query.error,
  };
}
