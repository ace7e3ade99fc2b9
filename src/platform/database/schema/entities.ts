import { Place } from './place.entity.js';
import { SigningKey } from './signing-key.entity.js';
import { SystemClient } from './system-client.entity.js';
import { UserEntity } from './user.entity.js';

/** Tables mapped by TypeORM. Our own SQL handles events and search data. */
export const ENTITIES = [Place, SigningKey, SystemClient, UserEntity];
