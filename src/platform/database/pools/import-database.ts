import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** An import takes one for each batch that it writes; writing also takes a core. */
const POOL_SIZE = 2;

/**
 * The same database over separate connections for imports over HTTP, so that none of them takes one from a search
 * . Statements may take long: a vacuum after many records is one.
 */
export class ImportDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula import', POOL_SIZE), 'long');
  }
}
