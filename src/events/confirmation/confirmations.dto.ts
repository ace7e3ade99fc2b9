import { IsIn } from 'class-validator';
import { IsCursor, IsInstant, IsNotBefore, IsWholeNumber } from '../../platform/dto/validators.js';
import { OptionalMember } from '../../platform/dto/members.js';
import { instant } from '../../platform/openapi/schemas.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import { cursorReader, type LogCursor, MOST_LISTED } from '../../platform/outbox/outbox-log.js';
import { CONFIRMATION_STATUSES, type ConfirmationStatus, type Unanswered, UNANSWERED } from './confirmation-status.js';

/** Which confirmations are asked for: the query of `GET /confirmations`. */
export class ConfirmationsQueryDto {
  @OptionalMember({ enum: CONFIRMATION_STATUSES }, IsIn(CONFIRMATION_STATUSES))
  status?: ConfirmationStatus;

  @OptionalMember({ type: 'integer', minimum: 1, maximum: MOST_LISTED, default: 100 }, IsWholeNumber(1, MOST_LISTED))
  limit = 100;

  /** The page begins after it. */
  @OptionalMember(
    { type: String, minLength: 1, description: 'Of the answer before' },
    IsCursor(cursorReader(/^\d{1,18}$/)),
  )
  cursor?: LogCursor;
}

/** Which confirmations to obtain again: the body of `POST /confirmations/replay`. */
export class ConfirmationReplayDto {
  @OptionalMember({ ...instant, description: 'Requested from here on' }, IsInstant())
  since?: Instant;

  @OptionalMember({ ...instant, description: 'up to here, both included' }, IsNotBefore('since'), IsInstant())
  until?: Instant;

  @OptionalMember({ enum: UNANSWERED, default: 'dead' }, IsIn(UNANSWERED))
  status: Unanswered = 'dead';
}
