/** The anchor of a heading, as GitHub makes it: lower case, spaces to hyphens, punctuation dropped. */
export const headingSlug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
