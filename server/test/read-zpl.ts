/** A field of a label: what stands between `^FO` and `^FS`. */
export interface ZplField {
  x: number;
  y: number;
  /** In the order of the commands, without the position: `['A0', 'N,50,50']`. */
  commands: [name: string, parameters: string][];
  /** The decoded data; null for a drawing. */
  data: string | null;
}

export interface ZplLabel {
  /** Commands outside fields. */
  settings: Record<string, string>;
  fields: ZplField[];
}

/** Every command of the file, as a printer reads it: a caret or tilde starts one, wherever it stands. */
function* commandsOf(zpl: string): Generator<[name: string, parameters: string]> {
  for (const [whole] of zpl.matchAll(/[\^~][^^~]*/g)) {
    yield [whole.slice(1, 3), whole.slice(3).replace(/[\r\n]/g, '')];
  }
}

/** Reads a file of labels. Throws on a command that the writer does not use, and on labels or fields that are not closed. */
export function readZpl(zpl: string): ZplLabel[] {
  const labels: ZplLabel[] = [];
  let label: ZplLabel | null = null;
  let field: ZplField | null = null;
  for (const [name, parameters] of commandsOf(zpl)) {
    if (name === 'XA') {
      if (label) throw new Error('a label inside a label');
      label = { settings: {}, fields: [] };
    } else if (!label) throw new Error(`^${name} outside a label`);
    else if (name === 'XZ') {
      if (field) throw new Error('a field is not closed');
      labels.push(label);
      label = null;
    } else if (name === 'FO') {
      if (field) throw new Error('a field inside a field');
      const [x, y] = parameters.split(',').map(Number);
      field = { x: x as number, y: y as number, commands: [], data: null };
    } else if (name === 'FS') {
      if (!field) throw new Error('^FS without a field');
      label.fields.push(field);
      field = null;
    } else if (field && name === 'FD') field.data = decode(parameters);
    else if (field && ['A0', 'FR', 'FB', 'FH', 'GB', 'GD', 'BY', 'BC', 'BQ'].includes(name))
      field.commands.push([name, parameters]);
    else if (!field && ['CI', 'PW', 'LL', 'LH', 'PQ'].includes(name)) label.settings[name] = parameters;
    else throw new Error(`unexpected ^${name}`);
  }
  if (label) throw new Error('a label is not closed');
  return labels;
}

/** Field data after `^FH`: `_` and two hexadecimal digits are a byte; the bytes are UTF-8. */
const decode = (data: string): string =>
  Buffer.from(
    data.replace(/_([0-9A-F]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    'latin1',
  ).toString();
