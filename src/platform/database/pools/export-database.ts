import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** For streams, each held while its client reads; at most `size`. */
export class ExportDatabase extends OwnConnections {
  constructor(
    primary: Primary,
    readonly size: number,
  ) {
    super(primary.pool('matricula export', size));
  }
}
