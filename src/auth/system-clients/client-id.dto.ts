import { IsUUID } from 'class-validator';

/** Body of the two that change a client's status. */
export class ClientIdDto {
  @IsUUID('all')
  client_id: string;
}
