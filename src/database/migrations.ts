import { InitialSchema1764000000000 } from './migrations/1764000000000-initial-schema.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [InitialSchema1764000000000];
