import { Injectable } from '@nestjs/common';

import type { Caller, RowFilter } from '../../access/caller.js';
import type { Permission } from '../../access/permission.js';
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
    const rowFilter = await this.knownBy(caller);
    if (this.known.areAll(rowFilter)) return view;
    const named = duplicatesNamedIn(view);
    return named.length === 0 ? view : namingOnly(view, await this.known.among(named, rowFilter));
  }

  /** The records that the caller may read, or, if there are none, those that he may find or review. */
  private async knownBy(caller: Caller): Promise<RowFilter> {
    const read = await this.contexts.reach(caller, 'record.read');
    if (read === 'everything' || read.length > 0) return read;
    const others = await Promise.all(WITHOUT_READING.map((permission) => this.contexts.reach(caller, permission)));
    return others.includes('everything')
      ? 'everything'
      : others.flatMap((reach) => (reach === 'everything' ? [] : reach));
  }
}

/** By which an event of others is shown to callers who may read none. */
const WITHOUT_READING: readonly Permission[] = ['record.review-duplicates', 'record.search'];
