import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

import { SearchDatabase } from '../../platform/database/replicas/search-database.js';

const STATES = ['up', 'behind', 'down'] as const;

/** Which servers searches read from, and the state of the replicas. */
@Injectable()
export class ReplicaMetrics {
  readonly registry = new Registry();

  constructor(searches: SearchDatabase) {
    const registers = [this.registry];
    new Counter({
      name: 'matricula_search_reads_total',
      help: 'Reads of searches by the server that did them: primary, or host:port/database of a replica',
      labelNames: ['server'] as const,
      registers,
      collect() {
        this.reset();
        this.inc({ server: 'primary' }, searches.servedByPrimary);
        for (const { place, served } of searches.replicas) this.inc({ server: place }, served);
      },
    });
    new Gauge({
      name: 'matricula_replica_state',
      help: '1 for the state that a replica is in',
      labelNames: ['server', 'state'] as const,
      registers,
      collect() {
        for (const replica of searches.replicas) {
          for (const state of STATES) this.set({ server: replica.place, state }, Number(replica.state === state));
        }
      },
    });
    new Gauge({
      name: 'matricula_replica_lag_bytes',
      help: 'Bytes of the log of the primary that a replica had not replayed when it was last looked at',
      labelNames: ['server'] as const,
      registers,
      collect() {
        this.reset();
        for (const { place, lagBytes } of searches.replicas) {
          if (lagBytes !== undefined) this.set({ server: place }, lagBytes);
        }
      },
    });
  }
}
