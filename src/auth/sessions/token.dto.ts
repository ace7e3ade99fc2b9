import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

import { IsText } from '../../platform/dto/is-text.js';

export class TokenDto {
  @ApiProperty({ description: 'A JWT of this service' })
  @IsText()
  token: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Of clients of releases up to 2.0; it means nothing',
  })
  @IsOptional()
  @IsText()
  nonce?: string | null;
}
