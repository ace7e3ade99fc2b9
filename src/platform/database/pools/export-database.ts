import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/**
 * The same database over separate connections for streams, each of which holds one as long as its client reads:
 * at most `size`.
 */
export class ExportDatabase extends OwnConnections {
  constructor(
    primary: Primary,
    readonly size: number,
  ) {
    super(primary.pool('matricula export', size));
  }
}
