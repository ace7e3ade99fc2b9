import { Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import { rowFilterOf } from '../../access/caller.js';
import { KnownRecords } from '../../search/duplicates/known-records.js';
import type { EventView } from './decisions/event-view.js';
import { duplicatesNamedIn, namingOnly } from './decisions/named-duplicates.js';

/** Leaves out of an event what names records that are hidden from the caller, such as sealed ones (E-10). */
@Injectable()
export class ViewsWithoutHidden {
  constructor(private readonly known: KnownRecords) {}

  async shown(view: EventView, caller: Caller): Promise<EventView> {
    const rowFilter = rowFilterOf(caller, 'record.read');
    if (this.known.areAll(rowFilter)) return view;
    const named = duplicatesNamedIn(view);
    return named.length === 0 ? view : namingOnly(view, await this.known.among(named, rowFilter, caller.subject));
  }
}
