/** Values as D-Bus sends them: little endian, each aligned to its own size. */
export class DbusWriter {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  align(to: number): this {
    while (this.#bytes.length % to !== 0) this.#bytes.push(0);
    return this;
  }

  byte(value: number): this {
    this.#bytes.push(value);
    return this;
  }

  uint32(value: number): this {
    this.align(4);
    for (const shift of [0, 8, 16, 24]) this.#bytes.push((value >>> shift) & 0xff);
    return this;
  }

  text(value: string): this {
    const bytes = Buffer.from(value);
    this.uint32(bytes.length);
    this.#bytes.push(...bytes, 0);
    return this;
  }

  texts(values: string[]): this {
    const content = new DbusWriter();
    for (const value of values) content.text(value);
    return this.uint32(content.length).append(content);
  }

  signature(value: string): this {
    this.#bytes.push(value.length, ...Buffer.from(value), 0);
    return this;
  }

  append(other: DbusWriter): this {
    this.#bytes.push(...other.#bytes);
    return this;
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

export class DbusReader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  align(to: number): this {
    this.at = Math.ceil(this.at / to) * to;
    return this;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.at++);
  }

  uint32(): number {
    this.align(4);
    this.at += 4;
    return this.#bytes.readUInt32LE(this.at - 4);
  }

  text(): string {
    return this.#take(this.uint32());
  }

  signature(): string {
    return this.#take(this.byte());
  }

  #take(length: number): string {
    const text = this.#bytes.toString('utf8', this.at, this.at + length);
    this.at += length + 1;
    return text;
  }
}
