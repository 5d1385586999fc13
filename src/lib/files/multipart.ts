/** Multipart bodies written by hand: the length is known, and a part's bytes stay where they were read. */

const encoder = new TextEncoder();

/** Most bytes of a frame besides fields and content. */
const partDigits = 20;

/** As browsers write names: what would end the quoted text or the line is percent-encoded. */
function quoted(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** A boundary that no content holds but by design: 128 random bits. */
function newBoundary(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return `iotdeck-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Fields of a form, in order. Those without a value are left out. */
export type Fields = readonly (readonly [name: string, value: string | undefined])[];

/** Writes the forms of one upload. */
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
   * Makes a frame for a file of at most `contentBytes`, to be used for one part after the other.
   *
   * @param fields those of the first part; later ones may differ by the digits of a number
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

/** Room for one part with its form around it. */
export interface Frame {
  /** Where the content is read to. */
  readonly content: Uint8Array;
  /** Writes the form around the first `used` bytes and gives the whole body. */
  close(used: number, fields: Fields): Uint8Array;
}
