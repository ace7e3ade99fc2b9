import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { Instant } from '../../kernel/domain/calendar.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { IsCursor, IsInstant, IsNotBefore, IsWholeNumber } from '../../platform/dto/validators.js';
import { instant } from '../../platform/openapi/schemas.js';
import { cursorReader, type LogCursor } from '../../platform/outbox/outbox-log.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery-status.js';

const MOST = 1_000;

/** Which deliveries are requested: the query of `GET /webhooks/{id}/deliveries` (W-10). */
export class DeliveriesQueryDto {
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES })
  @MayBeAbsent()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST, default: 100 })
  @MayBeAbsent()
  @IsWholeNumber(1, MOST)
  limit = 100;

  /** The page begins after it. */
  @ApiPropertyOptional({ type: String, minLength: 1, description: 'Of the answer before' })
  @MayBeAbsent()
  @IsCursor(cursorReader(/^\d{1,18}\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/))
  cursor?: LogCursor;
}

/** Which deliveries to replay: the body of `POST /webhooks/{id}/replay` (W-10). */
export class ReplayDto {
  @ApiProperty({ ...instant, description: 'Deliveries created from here on' })
  @IsInstant()
  since: Instant;

  @ApiProperty({ ...instant, description: 'up to here, both included' })
  @IsNotBefore('since')
  @IsInstant()
  until: Instant;

  @ApiPropertyOptional({ enum: DELIVERY_STATUSES, default: 'dead' })
  @MayBeAbsent()
  @IsIn(DELIVERY_STATUSES)
  status: DeliveryStatus = 'dead';
}
