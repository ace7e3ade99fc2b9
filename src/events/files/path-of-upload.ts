import { type AttachmentType, extensionOf } from '../../kernel/domain/attachment-type.js';
import { derivedUuid } from '../../kernel/domain/derived-uuid.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';

interface PathParts {
  readonly eventId: Uuid | null;
  readonly uploader: string;
  readonly transactionId: string;
  readonly type: AttachmentType;
}

const ZERO = parseUuid('00000000-0000-0000-0000-000000000000') as Uuid;

/**
 * F-1: `events/{id}/{transactionId}.{ext}`, or without an event
 * `uploads/{a UUID of the uploader}/{transactionId}.{ext}`, so that uploaders never collide.
 */
export const pathOfUpload = ({ eventId, uploader, transactionId, type }: PathParts): string =>
  `${eventId === null ? `uploads/${derivedUuid(ZERO, uploader)}` : `events/${eventId}`}/${transactionId}.${extensionOf(type)}`;
