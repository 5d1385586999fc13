/** Builds multipart bodies by hand: the length is known up front, and the bytes of a part are not copied. */

const encoder = new TextEncoder();

/** Spare bytes of a frame, for part numbers with more digits. */
const partDigits = 20;

/** Encodes a name as browsers do: quotes and line breaks are percent-encoded. */
function quoted(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** A random boundary of 128 bits, which no content contains by accident. */
function newBoundary(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return `iotdeck-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Fields of a form, in order. Fields without a value are skipped. */
export type Fields = readonly (readonly [name: string, value: string | undefined])[];

/** Builds the forms of one upload. */
export class MultipartWriter {
  readonly #boundary = newBoundary();
  readonly contentType = `multipart/form-data; boundary=${this.#boundary}`;
  readonly #tail = encoder.encode(`\r\n--${this.#boundary}--\r\n`);

  #fields(fields: Fields): string {
    return fields
      .filter(([, value]) => value !== undefined)
      .map(
        ([name, value]) =>
          `--${this.#boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
      )
      .join("");
  }

  /** A form without files. */
  form(fields: Fields): Uint8Array {
    return encoder.encode(`${this.#fields(fields)}--${this.#boundary}--\r\n`);
  }

  #head(fields: Fields, filename: string): Uint8Array {
    return encoder.encode(
      `${this.#fields(fields)}--${this.#boundary}\r\nContent-Disposition: form-data; name="file"; ` +
        `filename="${quoted(filename)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    );
  }

  /**
   * Creates a frame for parts of at most `contentBytes`, reused for one part after the other.
   *
   * @param fields of the first part; later ones may differ in the digits of a number
   */
  frame(contentBytes: number, fields: Fields, filename: string): Frame {
    const headBytes = this.#head(fields, filename).length + partDigits;
    const bytes = new Uint8Array(headBytes + contentBytes + this.#tail.length);
    return {
      content: bytes.subarray(headBytes, headBytes + contentBytes),
      close: (used, own) => {
        const head = this.#head(own, filename);
        const start = headBytes - head.length;
        bytes.set(head, start);
        bytes.set(this.#tail, headBytes + used);
        return bytes.subarray(start, headBytes + used + this.#tail.length);
      },
    };
  }
}

/** A buffer for one part and the form around it. */
export interface Frame {
  /** Target for the content. */
  readonly content: Uint8Array;
  /** Writes the form around the first `used` bytes and returns the whole body. */
  close(used: number, fields: Fields): Uint8Array;
}
