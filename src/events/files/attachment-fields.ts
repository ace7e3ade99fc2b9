import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { Faults } from '../../kernel/errors/faults.js';

export const FIELD_NAMES = ['transactionId', 'eventId', 'path'] as const;

export interface AttachmentFields {
  readonly transactionId: string;
  /** Undefined if not given. */
  readonly eventId: Uuid | undefined;
}

/** Becomes a path segment, therefore without special characters. */
const TRANSACTION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Releases before 2.1 send it in place of `eventId`. */
const PATH = /^\/?(?:events\/)?([^/]+)\/?$/;

/** Undefined after faults. */
export function fieldsOf(texts: ReadonlyMap<string, string>, faults: Faults): AttachmentFields | undefined {
  const transactionId = texts.get('transactionId');
  if (transactionId === undefined) faults.add('transactionId', 'is required');
  else if (!TRANSACTION_ID.test(transactionId)) {
    faults.add('transactionId', 'must be 1 to 128 letters, digits, ".", "_" or "-", and begin with a letter or digit');
  }
  const [eventId, path] = [texts.get('eventId'), texts.get('path')];
  const ofEventId = parseUuid(eventId);
  const ofPath = parseUuid(PATH.exec(path ?? '')?.[1]);
  if (eventId !== undefined && ofEventId === undefined) faults.add('eventId', 'must be a UUID');
  if (path !== undefined && ofPath === undefined) faults.add('path', 'must be events/ and the id of the event');
  if (ofEventId !== undefined && ofPath !== undefined && ofEventId !== ofPath) {
    faults.add('path', 'must name the same event as eventId');
  }
  if (transactionId === undefined || !faults.none) return undefined;
  return { transactionId, eventId: ofEventId ?? ofPath };
}
