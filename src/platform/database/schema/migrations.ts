import { InitialSchema1767225600000 } from '../migrations/1767225600000-initial-schema.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [InitialSchema1767225600000];
