import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsInstant, IsNotBefore } from '../../platform/dto/validators.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { instant } from '../../platform/openapi/schemas.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery-status.js';

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
