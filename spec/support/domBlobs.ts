import { Buffer } from 'node:buffer';

/** A `Blob` as happy-dom has it: its type is a field of its own, and no tag names its class. */
export class UntaggedBlob {
  readonly type: string;
  readonly #bytes: Buffer;

  constructor(content: string | Buffer, { type = '' } = {}) {
    this.#bytes = Buffer.from(content);
    this.type = type;
  }

  get size(): number {
    return this.#bytes.length;
  }

  slice(from = 0, to = this.size): UntaggedBlob {
    return new UntaggedBlob(this.#bytes.subarray(from, to));
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(new Uint8Array(this.#bytes).buffer);
  }

  stream(): ReadableStream<Uint8Array> {
    return new Blob([new Uint8Array(this.#bytes)]).stream();
  }
}

/** A `Blob` as jsdom has it: with a tag, but without the `stream` that Node's `fetch` reads a Blob by. */
export class StreamlessBlob extends Blob {
  override stream = undefined as unknown as Blob['stream'];
}

/** A `FormData` as happy-dom has it: without a tag. */
export class UntaggedForm extends FormData {
  override readonly [Symbol.toStringTag] = 'Object' as string;
}
