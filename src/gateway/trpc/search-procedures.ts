import { Injectable } from '@nestjs/common';

import { SearchController } from '../../events/search/search.controller.js';
import { SearchService } from '../../events/search/search.service.js';
import { JsonText } from './json-text.js';
import type { Procedures } from './procedure.js';
import { rulesOfRoute } from './rules-of-route.js';

/** `event.search` (I-4): `POST /events/search` without a cursor. */
@Injectable()
export class SearchProcedures {
  constructor(private readonly searches: SearchService) {}

  procedures(): Procedures {
    return {
      'event.search': {
        kind: 'query',
        ...rulesOfRoute(SearchController, 'search'),
        run: async (input, { caller, hungUp }) =>
          new JsonText((await this.searches.search(input, { caller, now: new Date(), hungUp })).json),
      },
    };
  }
}
