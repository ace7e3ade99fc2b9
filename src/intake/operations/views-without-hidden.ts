import { Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import { KnownRecords } from '../../search/duplicates/known-records.js';
import { SearchContexts } from '../../search/search-contexts.js';
import type { EventView } from './decisions/event-view.js';
import { duplicatesNamedIn, namingOnly } from './decisions/named-duplicates.js';

/** Leaves out of an event what names records that are hidden from the caller, such as sealed ones (E-10). */
@Injectable()
export class ViewsWithoutHidden {
  constructor(
    private readonly known: KnownRecords,
    private readonly contexts: SearchContexts,
  ) {}

  async shown(view: EventView, caller: Caller): Promise<EventView> {
    // Who may read no record is shown an event of others by what else tells him of records.
    const admitting = await this.contexts.naming(caller, await this.contexts.reach(caller, 'record.read'));
    if (admitting === undefined) return view;
    const named = duplicatesNamedIn(view);
    return named.length === 0 ? view : namingOnly(view, await this.known.among(named, admitting));
  }
}
