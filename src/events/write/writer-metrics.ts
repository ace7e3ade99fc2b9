import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';

import { EventWriter } from './event-writer.js';

/** G-10. */
@Injectable()
export class WriterMetrics {
  readonly registry = new Registry();

  constructor(writer: EventWriter) {
    new Gauge({
      name: 'matricula_event_writes_waiting',
      help: 'Operations on events that wait in this process for their turn, or for an event that another process changes',
      registers: [this.registry],
      collect() {
        this.set(writer.load.waiting);
      },
    });
    new Gauge({
      name: 'matricula_event_writes_waiting_bytes',
      help: 'What they hold in memory',
      registers: [this.registry],
      collect() {
        this.set(writer.load.waitingBytes);
      },
    });
    new Gauge({
      name: 'matricula_event_writes_running',
      help: 'Transactions of this process that write events, of at most two',
      registers: [this.registry],
      collect() {
        this.set(writer.load.running);
      },
    });
  }
}
