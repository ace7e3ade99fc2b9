import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { Instant } from '../../kernel/domain/calendar.js';
import { OptionalMember } from '../../platform/dto/members.js';
import { CREATION, PagedQuery } from '../../platform/dto/page.js';
import { IsInstant, IsNotBefore } from '../../platform/dto/validators.js';
import { instant } from '../../platform/dto/schemas.js';
import { MOST_LISTED } from '../../platform/outbox/outbox-log.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery-status.js';

/** Which deliveries are requested: the query of `GET /webhooks/{id}/deliveries` (W-10). */
export class DeliveriesQueryDto extends PagedQuery(MOST_LISTED, 100, CREATION) {
  @OptionalMember({ enum: DELIVERY_STATUSES }, IsIn(DELIVERY_STATUSES))
  status?: DeliveryStatus;
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
