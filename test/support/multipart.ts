import { readdir } from 'node:fs/promises';

/** A part of a form: a field, or a file if it has a file name. */
export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

const BOUNDARY = 'xxboundaryxx';

/** The `Content-Type` of `multipart`. */
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** The body of a form with these parts, in this order; `end` closes it. */
export function multipart(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
        `${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

const HEAD = '\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR';

/** What passes for a PNG of so many bytes, each different from the others by `seed`. */
export function aPng(bytes = 100, seed = 0): Buffer {
  return Buffer.concat([Buffer.from(HEAD, 'latin1'), Buffer.alloc(bytes - HEAD.length, `seed ${seed} `)], bytes);
}

/** What passes for a PDF. */
export const aPdf = (text = 'pages'): Buffer => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);

export const file = (value: Uint8Array, fileName = 'scan.png'): Part => ({ name: 'file', fileName, value });
export const field = (name: string, value: string): Part => ({ name, value });

/** The path in the answer to an upload. */
export const pathOf = ({ json }: { readonly json: unknown }): string =>
  (json as { result: { data: { json: string } } }).result.data.json;

/** How many files are in a directory, however deep. */
export const filesIn = async (directory: string): Promise<number> =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length;
