import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsObject } from 'class-validator';

import { IsInstant } from '../../../access/dto/is-instant.js';
import { IsWholeNumber } from '../../../access/dto/is-whole-number.js';
import { MayBeAbsent } from '../../../access/dto/members.js';
import type { Instant } from '../../../domain/calendar.js';
import type { ConfirmationStatus, Unanswered } from './confirmation-status.js';
import { CONFIRMATION_STATUSES, UNANSWERED } from './confirmation-status.js';

const MOST = 1_000;

/** Where a page of confirmations ends. */
export interface ConfirmationCursor {
  readonly position: string;
}

/** The position of a confirmation in the list, as opaque text. */
export const writeCursor = ({ position }: ConfirmationCursor): string => Buffer.from(position).toString('base64url');

/** Undefined for text that `writeCursor` did not produce. */
function readCursor(text: string): ConfirmationCursor | undefined {
  const position = Buffer.from(text, 'base64url').toString();
  return /^\d{1,18}$/.test(position) ? { position } : undefined;
}

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
  @ApiPropertyOptional({ type: String, description: 'Of the answer before' })
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (readCursor(value) ?? value) : value))
  @IsObject({ message: 'must be one that an answer gave out' })
  cursor?: ConfirmationCursor;
}

/** Which confirmations to obtain again: the body of `POST /confirmations/replay`. */
export class ConfirmationReplayDto {
  @ApiPropertyOptional({ type: String, format: 'date-time', pattern: 'Z$', description: 'Requested from here on' })
  @MayBeAbsent()
  @IsInstant()
  since?: Instant;

  @ApiPropertyOptional({ type: String, format: 'date-time', pattern: 'Z$', description: 'up to here, both included' })
  @MayBeAbsent()
  @IsInstant()
  until?: Instant;

  @ApiPropertyOptional({ enum: UNANSWERED, default: 'dead' })
  @MayBeAbsent()
  @IsIn(UNANSWERED)
  status: Unanswered = 'dead';
}
