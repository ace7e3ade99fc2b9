import { Injectable } from '@nestjs/common';
import type { Caller, RecordOptions } from '../../kernel/domain/scopes/caller.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { KnownRecords } from '../search/duplicate-search.js';
import { SearchPlanner } from '../search/search-planner.js';
import type { EventView } from './decisions/event-view.js';

interface NamingAction {
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Potential duplicates, and the record it duplicates. */
const duplicatesNamedIn = (view: EventView): readonly Uuid[] =>
  [
    ...new Set(actionsOf(view).flatMap(({ content = {} }) => [...listed(content).map(idOf), content['duplicateOf']])),
  ].flatMap((id) => parseUuid(id) ?? []);

/** Removes references to unknown events. */
function namingOnly(view: EventView, known: ReadonlySet<string>): EventView {
  const isKnown = (id: unknown): boolean => typeof id === 'string' && known.has(id);
  const shown = (action: NamingAction): NamingAction => {
    const { content } = action;
    if (content === undefined) return action;
    const { duplicateOf, ...others } = content;
    return {
      ...action,
      content: {
        ...others,
        ...(isKnown(duplicateOf) && { duplicateOf }),
        ...('duplicates' in content && { duplicates: listed(content).filter((entry) => isKnown(idOf(entry))) }),
      },
    };
  };
  return { ...view, actions: actionsOf(view).map(shown) };
}

const actionsOf = ({ actions }: EventView): readonly NamingAction[] =>
  Array.isArray(actions) ? (actions as readonly NamingAction[]) : [];

const listed = ({ duplicates }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(duplicates) ? duplicates : [];

const idOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;

const EVERY_RECORD: RecordOptions = {};

/** Removes references to records hidden from the caller: sealed ones, or others' (E-9, E-10). */
@Injectable()
export class ViewsWithoutHidden {
  constructor(
    private readonly known: KnownRecords,
    private readonly planner: SearchPlanner,
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
    return this.planner.naming(caller, await this.planner.reach(caller, 'record.read'));
  }
}
