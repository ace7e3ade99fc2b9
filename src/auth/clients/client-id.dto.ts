import { ApiProperty } from '@nestjs/swagger';

import { IsUuid } from '../../platform/dto/is-uuid.js';
import { uuid } from '../../platform/openapi/value-schemas.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

/** Body of the two routes that change a client's status. */
export class ClientIdDto {
  @ApiProperty(uuid)
  @IsUuid()
  client_id: Uuid;
}
