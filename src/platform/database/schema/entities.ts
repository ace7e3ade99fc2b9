import { Place } from './place.entity.js';
import { SigningKey } from './signing-key.entity.js';
import { SystemClient } from './system-client.entity.js';
import { UserEntity } from './user.entity.js';

export const ENTITIES = [Place, SigningKey, SystemClient, UserEntity];
