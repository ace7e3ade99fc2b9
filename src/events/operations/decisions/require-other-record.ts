import { INVALID_INPUT } from '../../../kernel/errors/faults.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';
import type { AskedAction } from '../asked-action.js';

/** The record it is marked as a duplicate of. */
export const namedOther = ({ type, content }: Pick<AskedAction, 'type' | 'content'>): Uuid | undefined =>
  type === 'MARK_AS_DUPLICATE' ? parseUuid(content?.['duplicateOf']) : undefined;

interface Naming {
  readonly asked: AskedAction;
  readonly eventId: Uuid;
  readonly namesUnknown?: boolean | undefined;
}

/** Throws 400 if the named duplicate is the record itself, or unknown to the caller. */
export function requireOtherRecord({ asked, eventId, namesUnknown }: Naming): void {
  if (namesUnknown !== true && namedOther(asked) !== eventId) return;
  const issues = [{ message: 'content.duplicateOf: must be the id of another record' }];
  throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
}
