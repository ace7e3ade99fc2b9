import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** At most `size` separate connections for streams, each held while its client reads. */
export class ExportDatabase extends OwnConnections {
  constructor(
    primary: Primary,
    readonly size: number,
  ) {
    super(primary.pool('matricula export', size));
  }
}
