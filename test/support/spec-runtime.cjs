// Jest's runtime, but a worker loads packages and our own code once, and not anew for each of three hundred spec files.
// Spec files, and what supports them, are loaded for each file.
const asyncHooks = require('node:async_hooks');
const { createRequire, isBuiltin } = require('node:module');
const { sep } = require('node:path');
const { compileFunction } = require('node:vm');

const JestRuntime = require('jest-runtime').default;

/** Modules of `src` that this worker has loaded, by path. */
const loaded = new Map();
/** Modules of Jest that this worker has loaded for `expect`, by path: its state is global. */
const loadedOfJest = new Map();
/** Holds the tests of one file, and is loaded for each. */
const CIRCUS = `${sep}jest-circus${sep}`;
/** The runtime of the spec file that runs. What was loaded for an earlier file loads more through it. */
let current;

module.exports = class SpecRuntime extends JestRuntime {
  constructor(config, environment, ...more) {
    super(config, environment, ...more);
    current = this;
    this.shared = `${config.rootDir}${sep}src${sep}`;
    // In the process itself (`spec-environment.ts`), and not in a context.
    this.executor.compile = (source, filename) =>
      compileFunction(source, this.executor.injectedModuleParameters, { filename });
    const registry = this.registries.getActiveCjsRegistry();
    for (const [path, module] of loaded) registry.set(path, module);
    for (const [path, module] of loadedOfJest) this.registries.getInternalCjsRegistry().set(path, module);
    this.storages = [];
    this.asyncHooks = endingWith(this.storages);
  }

  requireModuleOrMock(from, name) {
    if (current !== this) return current.requireModuleOrMock(from, name);
    return isPackage(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }

  requireModule(from, name, options, ...more) {
    if (options?.isInternalModule && name === 'node:async_hooks') return this.asyncHooks;
    return super.requireModule(from, name, options, ...more);
  }

  requireInternalModule(from, name) {
    return current === this ? super.requireInternalModule(from, name) : current.requireInternalModule(from, name);
  }

  teardown() {
    for (const [path, module] of this.registries.getInternalCjsRegistry()) {
      if (!path.includes(CIRCUS) && module.loaded) loadedOfJest.set(path, module);
    }
    for (const storage of this.storages) storage.disable();
    for (const [path, module] of this.registries.getActiveCjsRegistry()) {
      if (path.startsWith(this.shared) && !path.endsWith('.spec.ts') && module.loaded) loaded.set(path, module);
    }
    super.teardown();
  }
};

/** `pg`, `@nestjs/core`: neither a file of ours nor a module of Node, nor what Jest itself provides. */
function isPackage(name) {
  return !name.startsWith('.') && !name.startsWith(sep) && !isBuiltin(name) && name !== '@jest/globals';
}

/**
 * Node's module for Jest itself, which makes a storage for each spec file and never disables it. Before Node 24 every
 * promise of a worker is then entered into the storages of all files before it, so that each file is slower than the last.
 */
function endingWith(storages) {
  class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    constructor() {
      super();
      storages.push(this);
    }
  }
  return { ...asyncHooks, AsyncLocalStorage };
}
