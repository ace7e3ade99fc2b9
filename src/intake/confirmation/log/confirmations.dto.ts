import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

import { IsCursor } from '../../../access/dto/is-cursor.js';
import { IsInstant } from '../../../access/dto/is-instant.js';
import { IsNotBefore } from '../../../access/dto/is-not-before.js';
import { IsWholeNumber } from '../../../access/dto/is-whole-number.js';
import { MayBeAbsent } from '../../../access/dto/members.js';
import { instant } from '../../../access/value-schemas.js';
import type { Instant } from '../../../domain/calendar.js';
import type { ConfirmationCursor } from './confirmation-cursor.js';
import { readCursor } from './confirmation-cursor.js';
import type { ConfirmationStatus, Unanswered } from './confirmation-status.js';
import { CONFIRMATION_STATUSES, UNANSWERED } from './confirmation-status.js';

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
  @IsCursor(readCursor)
  cursor?: ConfirmationCursor;
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
