import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:http';

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

/** An upload that is under way. */
export interface BegunUpload {
  readonly sent: ClientRequest;
  /** Sends the rest; resolves with the status of the answer. */
  readonly finish: () => Promise<number | undefined>;
}

/** Sends so many bytes of a body. */
export function beginUpload(
  service: string,
  token: string,
  { body, bytes }: { readonly body: Buffer; readonly bytes: number },
): BegunUpload {
  const sent = request(`${service}/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART, 'content-length': body.length },
  });
  sent.on('error', () => undefined);
  sent.write(body.subarray(0, bytes));
  const finish = async (): Promise<number | undefined> => {
    sent.end(body.subarray(bytes));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer.resume().statusCode;
  };
  return { sent, finish };
}

/** The path in the answer to an upload. */
export const pathOf = ({ json }: { readonly json: unknown }): string =>
  (json as { result: { data: { json: string } } }).result.data.json;

/** How many files are in a directory, however deep. */
export const filesIn = async (directory: string): Promise<number> =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length;
