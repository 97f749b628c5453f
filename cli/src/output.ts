/** Lines for people, or one JSON object per line with `--json`. */
export interface Output {
  isJson: boolean;
  print(fields: object, text: string): void;
}

export const createOutput = (isJson: boolean, write: (line: string) => void): Output => ({
  isJson,
  print: (fields, text) => write(isJson ? JSON.stringify(fields) : text),
});
