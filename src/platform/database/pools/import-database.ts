import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** An import takes one per batch; writing also takes a core. */
const POOL_SIZE = 2;

/** For imports over HTTP, to spare searches. Statements may take long, such as a vacuum. */
export class ImportDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula import', POOL_SIZE), 'long');
  }
}
