import { Command, CommanderError, Help } from 'commander';
import { packageVersion } from '../platform/config/package-version.js';
import { auditCommand } from './audit.command.js';
import { benchCommand } from './bench.command.js';
import { clientsCommand } from './clients.command.js';
import { confirmationsCommand } from './confirmations.command.js';
import { exportCommand } from './export.command.js';
import { failureMessage } from './failure-message.js';
import { importCommand } from './import.command.js';
import { keysCommand } from './keys.command.js';
import { migrateCommand } from './migrate.command.js';
import { noticesCommand } from './notices.command.js';
import { outliveReaders, tell } from './output.js';
import { reindexCommand } from './reindex.command.js';
import { seedCommand } from './seed.command.js';
import { serveCommand } from './serve.command.js';
import { endAtOnce, onTermination } from './termination.js';
import { tokenCommand } from './token.command.js';
import { usersCommand } from './users.command.js';
import { webhooksCommand } from './webhooks.command.js';
import { WrongUsage } from './options.js';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs `matricula <arguments>`. Exit code: 0 done, 1 failed, 2 wrong usage (P-10). */
export async function runCommandLine(arguments_: readonly string[]): Promise<void> {
  const program = new Command('matricula')
    .description('Search, machine clients and webhooks over civil registration event records')
    .version(packageVersion(), '-V, --version', 'print the version')
    .showHelpAfterError('(matricula --help lists the commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
    });
  const commands = [
    serveCommand(),
    migrateCommand(),
    seedCommand(),
    importCommand(),
    exportCommand(),
    tokenCommand(),
    clientsCommand(),
    usersCommand(),
    webhooksCommand(),
    confirmationsCommand(),
    noticesCommand(),
    keysCommand(),
    auditCommand(),
    benchCommand(),
    reindexCommand(),
  ];
  for (const command of commands) program.addCommand(settled(command));
  outliveReaders();
  onTermination(endAtOnce);
  try {
    await program.parseAsync([...arguments_], { from: 'user' });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    // Idle connections would delay the exit by seconds.
    if (process.exitCode === FAILED) process.exit();
  }
}

/** Commands throw instead of exiting, and hide defaults of flags. */
function settled(command: Command): Command {
  const all = new Help();
  command
    .exitOverride()
    .showHelpAfterError('(--help says what is allowed)')
    .configureHelp({
      optionDescription: (option) => (option.isBoolean() ? option.description : all.optionDescription(option)),
    });
  for (const below of command.commands) settled(below);
  return command;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
  if (error instanceof WrongUsage) {
    tell(error.message);
    return WRONG_USAGE;
  }
  tell(failureMessage(error));
  return FAILED;
}
