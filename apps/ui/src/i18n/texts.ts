/** The French texts define the keys. Every other language has exactly the same keys. */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
