export class AnswerTooLong extends Error {}

/** Stops reading at the limit: a remote server must not decide how much memory this process uses. */
export async function readTextUpTo(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Throwing inside the loop cancels the stream and closes the connection.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
