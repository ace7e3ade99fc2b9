import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/domain/canonical-json.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import { derivedUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { type OperationKey, sizeOfCommand } from '../write/command.js';

/** Confirmation of requested actions (E-7). Without this global provider, every action is accepted at once. */
export abstract class AwaitedConfirmation {
  abstract isAwaited(type: ActionType): boolean;

  /** Resolves when the outcome is stored, or the caller need not wait. */
  abstract outcomeOf(actionId: Uuid, hungUp?: AbortSignal): Promise<void>;
}

interface Asked {
  readonly subject: string;
  readonly operation: string;
  readonly transactionId: string;
  /** JSON that a repetition must repeat. */
  readonly content: unknown;
}

/** Identifies repetitions (E-12); `size` is its memory. */
export function operationKey({ subject, operation, transactionId, content }: Asked): OperationKey & { size: number } {
  const text = canonicalJson(content);
  return {
    key: sha256(canonicalJson([subject, operation, transactionId])),
    content: sha256(text),
    size: sizeOfCommand(text),
  };
}

/** Derived from the key, so that concurrent repetitions in any process queue for the same event. */
export const idOfNewEvent = ({ key }: OperationKey): Uuid => derivedUuid(NEW_EVENTS, key.toString('hex'));

const NEW_EVENTS = '7c1f3a52-6d0e-4b7a-9a49-3f5d2c8e4b16' as Uuid;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
