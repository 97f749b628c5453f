type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The record without the keys that have no value: absent is not the same as null. */
export const withoutUndefined = <T extends object>(record: T): Defined<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
