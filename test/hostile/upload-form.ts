const BOUNDARY = 'b';

/** An upload of a PDF of so many bytes, for an event if one is named. */
export interface UploadedForm {
  readonly transactionId: string;
  readonly eventId?: string;
  readonly bytes?: number;
}

/** Its form, as a request's headers and body. */
export function uploadOf({ transactionId, eventId, bytes = 0 }: UploadedForm) {
  const field = (name: string, value: string): string =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const parts = [
    field('transactionId', transactionId),
    ...(eventId === undefined ? [] : [field('eventId', eventId)]),
    field('file"; filename="a.pdf', '%PDF-1.4\n%%EOF'.padEnd(bytes, ' ')),
    `--${BOUNDARY}--\r\n`,
  ];
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body: parts.join('\r\n') };
}
