import { MIB } from '../../kernel/domain/bytes.js';
import type { ServiceError } from '../../kernel/errors/service-error.js';
import { tooManyBodies } from './body-turns.js';

/** How much memory holds the bodies that have not come whole. */
const MOST_ARRIVING_BYTES = 128 * MIB;

/** Where a body is counted while it arrives. */
export interface Arrival {
  /** More of it has come, and takes so much more memory. */
  add(bytes: number): void;
  /** It has come whole, or does not come any more. */
  end(): void;
}

interface Arriving {
  bytes: number;
  readonly refuse: (error: ServiceError) => void;
}

/**
 * Bounds what the bodies hold that callers are sending: a body may take a minute to come, and a caller may have
 * as many connections as there are. When there is too much, the latest body of the caller with the most gives way.
 */
export class ArrivingBodies {
  /** By caller; no list is empty. */
  private readonly lists = new Map<string, Arriving[]>();
  private bytes = 0;

  constructor(private readonly mostBytes = MOST_ARRIVING_BYTES) {}

  /** A body begins to come; `refuse` is called once at most, with 503 SERVICE_UNAVAILABLE, if it is to give way. */
  begin(client: string, refuse: Arriving['refuse']): Arrival {
    const arriving: Arriving = { bytes: 0, refuse };
    const list = this.lists.get(client);
    if (list === undefined) this.lists.set(client, [arriving]);
    else list.push(arriving);
    return {
      add: (bytes) => {
        arriving.bytes += bytes;
        this.bytes += bytes;
        // A single body always has room, whatever its permitted size.
        while (this.bytes > this.mostBytes && this.hasSeveral) this.refuseOne();
      },
      end: () => {
        this.remove(client, arriving);
      },
    };
  }

  private get hasSeveral(): boolean {
    const [first] = this.lists.values();
    return this.lists.size > 1 || (first?.length ?? 0) > 1;
  }

  private refuseOne(): void {
    let most: { readonly client: string; readonly bytes: number; readonly latest: Arriving | undefined } | undefined;
    for (const [client, list] of this.lists) {
      const bytes = list.reduce((sum, one) => sum + one.bytes, 0);
      if (most === undefined || bytes > most.bytes)
        most = { client, bytes, latest: list.findLast((one) => one.bytes > 0) };
    }
    if (most?.latest === undefined) return;
    this.remove(most.client, most.latest);
    most.latest.refuse(tooManyBodies());
  }

  private remove(client: string, arriving: Arriving): void {
    const list = this.lists.get(client) ?? [];
    const at = list.indexOf(arriving);
    if (at < 0) return;
    list.splice(at, 1);
    this.bytes -= arriving.bytes;
    if (list.length === 0) this.lists.delete(client);
  }
}
