import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsCursor, IsWholeNumber } from '../../platform/dto/validators.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { type DeliveryCursor, readCursor } from './delivery-cursor.js';
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
  @IsCursor(readCursor)
  cursor?: DeliveryCursor;
}
