import { Inject, Injectable } from '@nestjs/common';

import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import type { Query } from '../../domain/search-request.js';
import type { Uuid } from '../../domain/uuid.js';
import { HierarchyCache } from '../../locations/hierarchy-cache.js';
import { KnownAreas } from './areas/known-areas.js';
import { asksForWords } from './compile/any-field.js';
import type { SearchContext } from './compile/search-context.js';
import { prepared } from './cost/prepared.js';
import type { Known } from './fuzzy/dictionary-follower.js';
import { DictionaryFollower } from './fuzzy/dictionary-follower.js';
import { NO_WORDS } from './fuzzy/no-words.js';
import { hasData } from './has-data.js';
import { hasFuzzy } from './has-fuzzy.js';
import type { LocationColumn } from './location-columns.js';
import { NO_SHAPES } from './vocabulary/shapes.js';

/** What searches are compiled with. */
@Injectable()
export class SearchContexts {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'TIMEZONE'>,
    private readonly hierarchy: HierarchyCache,
    private readonly dictionary: DictionaryFollower,
    private readonly areas: KnownAreas,
  ) {}

  /**
   * For a search that came just now: it knows of everything that was committed before (S-14), and has what takes long
   * worked out. Fails with the signal's reason when that aborts before.
   */
  async of(query: Query | undefined, now: Date, callerSubject: string, signal?: AbortSignal): Promise<SearchContext> {
    await this.hierarchy.current();
    const context = {
      now,
      timezone: this.config.TIMEZONE,
      callerSubject,
      below: (location: string) => this.hierarchy.below(location),
      areaTerm: (column: LocationColumn, area: Uuid) => this.areas.term(column, area),
      ...(await this.known(query, signal)),
    };
    return query === undefined ? context : prepared(query, context, signal);
  }

  private async known(query: Query | undefined, signal: AbortSignal | undefined): Promise<Known> {
    if (query === undefined || !hasData(query)) return { dictionary: NO_WORDS, shapes: NO_SHAPES };
    if (hasFuzzy(query)) return this.dictionary.caughtUp(signal);
    const shapes = await this.dictionary.shapes(signal);
    return asksForWords(query, shapes) ? this.dictionary.caughtUp(signal) : { dictionary: NO_WORDS, shapes };
  }
}
