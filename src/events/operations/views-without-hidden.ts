import { Injectable } from '@nestjs/common';

import type { Caller, RecordOptions } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { KnownRecords } from '../search/duplicates/known-records.js';
import { SearchContexts } from '../search/search-contexts.js';
import type { EventView } from './decisions/event-view.js';
import { duplicatesNamedIn, namingOnly } from './decisions/named-duplicates.js';

const EVERY_RECORD: RecordOptions = {};

/** Removes references to records hidden from the caller: sealed ones, or others' (E-9, E-10). */
@Injectable()
export class ViewsWithoutHidden {
  constructor(
    private readonly known: KnownRecords,
    private readonly contexts: SearchContexts,
  ) {}

  async shown(view: EventView, caller: Caller): Promise<EventView> {
    const admitting = await this.admitting(caller);
    if (admitting === undefined) return view;
    const named = duplicatesNamedIn(view);
    return named.length === 0 ? view : namingOnly(view, await this.known.among(named, admitting));
  }

  async isKnown(id: Uuid, caller: Caller): Promise<boolean> {
    return (await this.known.among([id], (await this.admitting(caller)) ?? [EVERY_RECORD])).has(id);
  }

  /** Without permission to read, other permissions that reveal records decide. */
  private async admitting(caller: Caller): Promise<readonly RecordOptions[] | undefined> {
    return this.contexts.naming(caller, await this.contexts.reach(caller, 'record.read'));
  }
}
