import type { Database } from '../platform/database/pools/database.js';
import type { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import { checkDerived, type CheckResult, type Difference } from '../events/reindex/check-derived.js';
import type { ReindexProgress } from '../events/reindex/reindex-runs.js';
import { reindex, type ReindexOptions } from '../events/reindex/reindex.js';
import { answer, tell } from './output.js';
import { type Progress, startProgress } from './progress.js';

export async function rebuild(
  database: Database,
  configuration: EventConfiguration,
  json: boolean,
  options: ReindexOptions,
): Promise<void> {
  const steps = new Steps();
  const show = (progress: ReindexProgress): void => {
    steps.show(progress);
  };
  const events = await reindex(database, configuration, show, options).finally(() => {
    steps.stop();
  });
  await answer(json, { events }, `${events} events: what is derived from them is new.`);
}

/** Exit code 1 if there is any difference. */
export async function compare(database: Database, configuration: EventConfiguration, json: boolean): Promise<void> {
  let progress: Progress | undefined;
  const result = await checkDerived(database, configuration, (done, total) => {
    progress ??= startProgress('Comparing', total, 'events');
    progress.update(done);
  }).finally(() => progress?.stop());
  await answer(json, result, [summaryOf(result), ...result.differences.map(lineOf)]);
  if (result.differences.length > 0) process.exitCode = 1;
}

const summaryOf = ({ events, differences }: CheckResult): string =>
  differences.length === 0
    ? `${events} events: what is derived from them is what they say.`
    : `${events} events, and what is derived differs from what they say:`;

const lineOf = ({ kind, count, events }: Difference): string =>
  `  ${kind}: ${count}, ${count > events.length ? 'the first of them ' : ''}${events.join(' ')}`;

const LABELS = { events: 'Deriving', indexes: 'Indexing' } as const;

/** A progress bar for each long step. */
class Steps {
  private current: { readonly step: string; readonly bar: Progress } | undefined;

  show(progress: ReindexProgress): void {
    if (!('done' in progress)) {
      this.stop();
      tell(progress.note);
      return;
    }
    const { step, done, total, note } = progress;
    if (this.current?.step !== step) {
      this.stop();
      this.current = { step, bar: startProgress(LABELS[step], total, step, process.stderr, done) };
    }
    this.current.bar.update(done, note);
  }

  stop(): void {
    this.current?.bar.stop();
    this.current = undefined;
  }
}
