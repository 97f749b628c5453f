/** Headers of a PDF that is saved under this name. Numbers and months come from the database, so they need no escaping. */
export const pdfNamed = (name: string) => ({
  'content-type': 'application/pdf',
  'content-disposition': `attachment; filename="${name}.pdf"`,
});
