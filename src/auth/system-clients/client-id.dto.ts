import { ApiProperty } from '@nestjs/swagger';

import { IsUuid } from '../../access/dto/is-uuid.js';
import { uuid } from '../../access/value-schemas.js';
import type { Uuid } from '../../domain/uuid.js';

/** Body of the two routes that change a client's status. */
export class ClientIdDto {
  @ApiProperty(uuid)
  @IsUuid()
  client_id: Uuid;
}
