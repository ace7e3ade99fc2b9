import { IsString } from 'class-validator';

/** Body of the older token route. */
export class ClientCredentialsDto {
  @IsString()
  client_id: string;

  @IsString()
  client_secret: string;
}
