import { Command } from 'commander';

import { configuration } from './configuration.js';
import { requireOpenFiles } from './open-files.js';

/** `matricula serve`: the command of `npm start` and of the image. */
export const serveCommand = (): Command =>
  new Command('serve').description('run the service').action(async () => {
    const config = await configuration();
    // Before the modules of the service are loaded.
    requireOpenFiles(config);
    // Commands start in two thirds of the time without the gateway.
    const { serve } = await import('./serve.js');
    await serve(config);
  });
