/** How many of a file's first bytes tell its type: `%PDF-` may end at the 1,024th, and its version follows. */
export const HEAD_BYTES = 1_027;

/** What a kind of file is stored as, and how its first bytes look. */
interface Kind {
  /** Of its path, without the dot. */
  readonly extension: string;
  readonly begins: (head: Uint8Array) => boolean;
}

/** Of the first bytes as characters. */
const text = (head: Uint8Array, from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));

/**
 * The media types that an attachment may have (F-1), each told by its first bytes alone: neither the name of a file nor
 * what its sender says counts. The signature must stand at the very beginning, except that of a PDF: exporters write a
 * byte order mark, a line break or a printer's header before it, and readers look for it within 1,024 bytes. There is
 * no `<` before it, without which browsers take nothing for a page.
 */
const KINDS = {
  'image/jpeg': {
    extension: 'jpg',
    // Start of image, then a marker.
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

/** One of the media types that an attachment may have. */
export type AttachmentType = keyof typeof KINDS;

/** All of them. */
export const ATTACHMENT_TYPES = Object.keys(KINDS) as readonly AttachmentType[];

/** The type of a file by its first `HEAD_BYTES` bytes; undefined for any other. */
export const attachmentTypeOf = (head: Uint8Array): AttachmentType | undefined =>
  ATTACHMENT_TYPES.find((type) => KINDS[type].begins(head));

/** The extension of such files, without a dot. */
export const extensionOf = (type: AttachmentType): string => KINDS[type].extension;
