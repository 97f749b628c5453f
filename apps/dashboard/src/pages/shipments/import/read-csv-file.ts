const MOST_BYTES = 8 * 1024 * 1024; // contract: previewImport

export type UnusableFile = 'tooLarge' | 'notText';

/** Decodes a CSV file. Spreadsheets write UTF-8; older ones write Windows-1252. */
export async function readCsvFile(file: Blob): Promise<{ text: string } | { unusable: UnusableFile }> {
  if (file.size > MOST_BYTES) return { unusable: 'tooLarge' };
  const bytes = await file.arrayBuffer();
  const text = decode(bytes);
  return text.includes('\0') ? { unusable: 'notText' } : { text };
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
