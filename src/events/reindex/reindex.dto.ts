import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';

import { IsWholeNumber } from '../../platform/dto/is-whole-number.js';
import { MayBeAbsent } from '../../platform/dto/members.js';

/** Body of `POST /events/reindex` (I-5). */
export class StartReindexDto {
  @ApiPropertyOptional({ type: Boolean, default: true, description: 'Whether to answer when it has ended' })
  @MayBeAbsent()
  @IsBoolean()
  waitForCompletion = true;
}

export class ListReindexDto {
  @MayBeAbsent()
  @IsWholeNumber(1, 100)
  limit = 10;
}
