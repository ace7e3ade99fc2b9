import { parseUuid } from '../../kernel/domain/uuid.js';

/** Where a page of deliveries ends: creation time of its last delivery, in microseconds, and its id. */
export interface DeliveryCursor {
  readonly createdAtMicros: string;
  readonly id: string;
}

/** The position of a delivery in the log, as opaque text. */
export const writeCursor = ({ createdAtMicros, id }: DeliveryCursor): string =>
  Buffer.from(`${createdAtMicros}/${id}`).toString('base64url');

/** Undefined for text that `writeCursor` did not produce. */
export function readCursor(text: string): DeliveryCursor | undefined {
  const [, createdAtMicros, uuid] = /^(\d{1,18})\/(.*)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const id = parseUuid(uuid);
  return createdAtMicros === undefined || id === undefined ? undefined : { createdAtMicros, id };
}
