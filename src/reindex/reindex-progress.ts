/** The progress of a reindex: `done` of `total` in the unit of the step, or in words. */
export type ReindexProgress =
  | { readonly step: 'events' | 'indexes'; readonly done: number; readonly total: number; readonly note?: string }
  | { readonly step: 'begin' | 'swap'; readonly note: string };
