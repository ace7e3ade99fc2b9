import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';

/** Body of the two routes that change a client's status. */
export class ClientIdDto {
  @ApiProperty({ format: 'uuid' })
  @IsUUID('all')
  client_id: string;
}
