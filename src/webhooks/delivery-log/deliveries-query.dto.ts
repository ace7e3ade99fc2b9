import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsObject } from 'class-validator';

import { IsWholeNumber } from '../../access/dto/is-whole-number.js';
import { MayBeAbsent } from '../../access/dto/members.js';
import type { DeliveryCursor } from './delivery-cursor.js';
import { readCursor } from './delivery-cursor.js';
import type { DeliveryStatus } from './delivery-status.js';
import { DELIVERY_STATUSES } from './delivery-status.js';

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
  @ApiPropertyOptional({ type: String, description: 'Of the answer before' })
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (readCursor(value) ?? value) : value))
  @IsObject({ message: 'must be one that an answer gave out' })
  cursor?: DeliveryCursor;
}
