import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { Instant } from '../../kernel/domain/calendar.js';
import { OptionalMember } from '../../platform/dto/members.js';
import { IsCursor, IsInstant, IsNotBefore, IsWholeNumber } from '../../platform/dto/validators.js';
import { instant } from '../../platform/openapi/schemas.js';
import { cursorReader, type LogCursor, MOST_LISTED } from '../../platform/outbox/outbox-log.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery-status.js';

const readCursor = cursorReader(/^\d{1,18}\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);

/** Which deliveries are requested: the query of `GET /webhooks/{id}/deliveries` (W-10). */
export class DeliveriesQueryDto {
  @OptionalMember({ enum: DELIVERY_STATUSES }, IsIn(DELIVERY_STATUSES))
  status?: DeliveryStatus;

  @OptionalMember({ type: 'integer', minimum: 1, maximum: MOST_LISTED, default: 100 }, IsWholeNumber(1, MOST_LISTED))
  limit = 100;

  /** The page begins after it. */
  @OptionalMember({ type: String, minLength: 1, description: 'Of the answer before' }, IsCursor(readCursor))
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

  @OptionalMember({ enum: DELIVERY_STATUSES, default: 'dead' }, IsIn(DELIVERY_STATUSES))
  status: DeliveryStatus = 'dead';
}
