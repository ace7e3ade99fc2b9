import { Place } from './place.entity.js';
import { SigningKey } from './signing-key.entity.js';
import { SystemClient } from './system-client.entity.js';

/** Every table that TypeORM maps. Events and what search reads of them are written and read with SQL of our own. */
export const ENTITIES = [Place, SigningKey, SystemClient];
