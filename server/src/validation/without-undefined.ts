type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes keys whose value is undefined. Keys whose value is null stay. */
export const withoutUndefined = <T extends object>(record: T): Defined<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
