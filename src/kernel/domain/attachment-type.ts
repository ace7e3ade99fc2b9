/** `%PDF-` may end at the 1,024th byte, and its version follows. */
export const HEAD_BYTES = 1_027;

interface Kind {
  /** Without the dot. */
  readonly extension: string;
  readonly begins: (head: Uint8Array) => boolean;
}

const text = (head: Uint8Array, from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));

/**
 * Media types by content (F-1): names and declared types do not count. A PDF's signature may follow a byte order mark,
 * a line break or a printer's header within 1,024 bytes. It may not follow `<`, or browsers take the file for a page.
 */
const KINDS = {
  'image/jpeg': {
    extension: 'jpg',
    begins: ([first, second, third, marker = 0]) =>
      first === 0xff && second === 0xd8 && third === 0xff && marker >= 0xc0 && marker < 0xff,
  },
  'image/png': {
    extension: 'png',
    begins: (head) => text(head, 0, 16) === '\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR',
  },
  'image/webp': {
    extension: 'webp',
    begins: (head) => text(head, 0, 4) === 'RIFF' && /^WEBPVP8[ LX]$/.test(text(head, 8, 16)),
  },
  'application/pdf': {
    extension: 'pdf',
    begins: (head) => /^[^<]{0,1019}%PDF-[12]\.\d/.test(text(head, 0, HEAD_BYTES)),
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type AttachmentType = keyof typeof KINDS;

export const ATTACHMENT_TYPES = Object.keys(KINDS) as readonly AttachmentType[];

/** By the first `HEAD_BYTES` bytes; undefined for other types. */
export const attachmentTypeOf = (head: Uint8Array): AttachmentType | undefined =>
  ATTACHMENT_TYPES.find((type) => KINDS[type].begins(head));

export const extensionOf = (type: AttachmentType): string => KINDS[type].extension;
