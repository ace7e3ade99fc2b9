import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsCursor, IsInstant, IsNotBefore, IsWholeNumber } from '../../platform/dto/validators.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { instant } from '../../platform/openapi/schemas.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import { cursorReader, type LogCursor } from '../../platform/outbox/outbox-log.js';
import { CONFIRMATION_STATUSES, type ConfirmationStatus, type Unanswered, UNANSWERED } from './confirmation-status.js';

const MOST = 1_000;

/** Which confirmations are asked for: the query of `GET /confirmations`. */
export class ConfirmationsQueryDto {
  @ApiPropertyOptional({ enum: CONFIRMATION_STATUSES })
  @MayBeAbsent()
  @IsIn(CONFIRMATION_STATUSES)
  status?: ConfirmationStatus;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST, default: 100 })
  @MayBeAbsent()
  @IsWholeNumber(1, MOST)
  limit = 100;

  /** The page begins after it. */
  @ApiPropertyOptional({ type: String, minLength: 1, description: 'Of the answer before' })
  @MayBeAbsent()
  @IsCursor(cursorReader(/^\d{1,18}$/))
  cursor?: LogCursor;
}

/** Which confirmations to obtain again: the body of `POST /confirmations/replay`. */
export class ConfirmationReplayDto {
  @ApiPropertyOptional({ ...instant, description: 'Requested from here on' })
  @MayBeAbsent()
  @IsInstant()
  since?: Instant;

  @ApiPropertyOptional({ ...instant, description: 'up to here, both included' })
  @MayBeAbsent()
  @IsNotBefore('since')
  @IsInstant()
  until?: Instant;

  @ApiPropertyOptional({ enum: UNANSWERED, default: 'dead' })
  @MayBeAbsent()
  @IsIn(UNANSWERED)
  status: Unanswered = 'dead';
}
