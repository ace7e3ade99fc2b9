import { InitialSchema1767225600000 } from '../migrations/1767225600000-initial-schema.js';

export const MIGRATIONS = [InitialSchema1767225600000];
