import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { Faults } from '../../kernel/errors/faults.js';

/** The fields of the form beside the file. */
export const FIELD_NAMES = ['transactionId', 'eventId', 'path'] as const;

/** What an upload says of its file. */
export interface AttachmentFields {
  readonly transactionId: string;
  /** The record that the file is for, if it is said. */
  readonly eventId: Uuid | undefined;
}

/** It becomes the last segment of a path: nothing in it may mean anything there. */
const TRANSACTION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** What releases before 2.1 send in place of `eventId`. */
const PATH = /^\/?(?:events\/)?([^/]+)\/?$/;

/** The fields of a form; undefined, with faults, if something is wrong with them. */
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
