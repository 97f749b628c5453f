/** Processes the items with this many concurrent workers. The results keep the order of the items. */
export async function crowd<Item, Result>(
  workers: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const [index, item] of queue) results[index] = await work(item, index);
    }),
  );
  return results;
}
