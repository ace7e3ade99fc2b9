import { Command } from 'commander';

import { Database } from '../database/database.js';
import type { ReindexProgress } from '../events/reindex/reindex.js';
import { reindex } from '../events/reindex/reindex.js';
import { jsonOption } from './json-option.js';
import { answer, tell } from './output.js';
import type { Progress } from './progress.js';
import { startProgress } from './progress.js';
import { withServices } from './services.js';

/** `matricula reindex`: derives what searches read anew, or proves that it is as it must be. */
export const reindexCommand = (): Command =>
  new Command('reindex')
    .description('rebuild all that is derived from the records, while searches and writes go on')
    .addOption(jsonOption())
    .action(({ json }: { readonly json: boolean }) =>
      withServices(async (services) => {
        const steps = new Steps();
        try {
          const events = await reindex(services.get(Database), (progress) => {
            steps.show(progress);
          });
          steps.stop();
          answer(json, { events }, `${events} events: what is derived from them is new.`);
        } finally {
          steps.stop();
        }
      }),
    );

const LABELS = { events: 'Deriving', indexes: 'Indexing' } as const;

/** A progress bar for each step that takes long. */
class Steps {
  private current: { readonly step: ReindexProgress['step']; readonly bar: Progress | undefined } | undefined;

  show({ step, done, total, note }: ReindexProgress): void {
    if (step === 'swap') {
      this.stop();
      if (note !== undefined) tell(note);
      return;
    }
    if (this.current?.step !== step) {
      this.stop();
      this.current = { step, bar: startProgress(LABELS[step], total, step) };
    }
    this.current.bar?.update(done, note);
  }

  stop(): void {
    this.current?.bar?.stop();
    this.current = undefined;
  }
}
