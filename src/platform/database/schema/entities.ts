import { Place } from './place.entity.js';
import { SigningKey } from './signing-key.entity.js';
import { SystemClient } from './system-client.entity.js';
import { UserEntity } from './user.entity.js';

/** Every table that TypeORM maps. Our own SQL reads and writes events and what searches read of them. */
export const ENTITIES = [Place, SigningKey, SystemClient, UserEntity];
