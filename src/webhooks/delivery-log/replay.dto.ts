import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, ValidateBy } from 'class-validator';

import { IsInstant } from '../../access/dto/is-instant.js';
import { MayBeAbsent } from '../../access/dto/members.js';
import type { Instant } from '../../domain/calendar.js';
import { parseDateTime } from '../../domain/calendar.js';
import type { DeliveryStatus } from './delivery-status.js';
import { DELIVERY_STATUSES } from './delivery-status.js';

/** Which deliveries to replay: the body of `POST /webhooks/{id}/replay` (W-10). */
export class ReplayDto {
  @ApiProperty({ type: String, format: 'date-time', pattern: 'Z$', description: 'Deliveries created from here on' })
  @IsInstant()
  since: Instant;

  @ApiProperty({ type: String, format: 'date-time', pattern: 'Z$', description: 'up to here, both included' })
  @IsNotBeforeSince()
  @IsInstant()
  until: Instant;

  @ApiPropertyOptional({ enum: DELIVERY_STATUSES, default: 'dead' })
  @MayBeAbsent()
  @IsIn(DELIVERY_STATUSES)
  status: DeliveryStatus = 'dead';
}

/** Reports nothing if `since` has a fault of its own. */
function IsNotBeforeSince(): PropertyDecorator {
  return ValidateBy({
    name: 'isNotBeforeSince',
    validator: {
      validate: (until: unknown, given) => {
        const { since } = given?.object as ReplayDto;
        return parseDateTime(since) === undefined || String(until) >= since;
      },
      defaultMessage: () => 'must not be before `since`',
    },
  });
}
