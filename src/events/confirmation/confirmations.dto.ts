import { IsIn } from 'class-validator';
import type { Instant } from '../../kernel/domain/calendar.js';
import { CONFIRMATION_STATUSES, type ConfirmationStatus, UNANSWERED, type Unanswered } from './confirmation-status.js';
import { OptionalMember } from '../../platform/dto/members.js';
import { PagedQuery } from '../../platform/dto/page.js';
import { IsInstant, IsNotBefore } from '../../platform/dto/validators.js';
import { instant } from '../../platform/dto/schemas.js';
import { MOST_LISTED } from '../../platform/outbox/outbox-log.js';

/** Which confirmations are asked for: the query of `GET /confirmations`. */
export class ConfirmationsQueryDto extends PagedQuery(MOST_LISTED, 100, /^\d{1,18}$/) {
  @OptionalMember({ enum: CONFIRMATION_STATUSES }, IsIn(CONFIRMATION_STATUSES))
  status?: ConfirmationStatus;
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
