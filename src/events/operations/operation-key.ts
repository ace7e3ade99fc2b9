import { createHash } from 'node:crypto';

import { canonicalJson } from '../../kernel/domain/canonical-json.js';
import { derivedUuid } from '../../kernel/domain/derived-uuid.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { OperationKey } from '../write/command.js';
import { sizeOfCommand } from '../write/size-of-command.js';

/** What a caller asks for, under an id of his choice. */
interface Asked {
  readonly subject: string;
  /** Names of one operation share this. */
  readonly operation: string;
  readonly transactionId: string;
  /** A JSON value: what must be the same in a repetition. */
  readonly content: unknown;
}

/** What makes a repetition one, and how much it holds in memory (E-12). */
export function operationKey({ subject, operation, transactionId, content }: Asked): OperationKey & { size: number } {
  const text = canonicalJson(content);
  return {
    key: sha256(canonicalJson([subject, operation, transactionId])),
    content: sha256(text),
    size: sizeOfCommand(text),
  };
}

/**
 * The id of the event that an operation makes: it follows from the key, so that a repetition, at the same time and in
 * whichever process, is about the same event, and takes its turn after the first.
 */
export const idOfNewEvent = ({ key }: OperationKey): Uuid => derivedUuid(NEW_EVENTS, key.toString('hex'));

/** The name space of ids of new events. */
const NEW_EVENTS = '7c1f3a52-6d0e-4b7a-9a49-3f5d2c8e4b16' as Uuid;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
