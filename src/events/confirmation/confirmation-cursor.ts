/** Where a page of confirmations ends. */
export interface ConfirmationCursor {
  readonly position: string;
}

/** The position of a confirmation in the list, as opaque text. */
export const writeCursor = ({ position }: ConfirmationCursor): string => Buffer.from(position).toString('base64url');

/** Undefined for text that `writeCursor` did not produce. */
export function readCursor(text: string): ConfirmationCursor | undefined {
  const position = Buffer.from(text, 'base64url').toString();
  return /^\d{1,18}$/.test(position) ? { position } : undefined;
}
